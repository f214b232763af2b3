/** @file An application as a user would compile it. */
import {
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { McpHidden, McpModule, McpTool } from '../../src/index.js';

@Injectable()
class KeyGuard {
  canActivate(): boolean {
    return true;
  }
}
class Note {
  @ApiProperty() text!: string;
  @ApiProperty({ required: false }) pinned?: boolean;
}

@Controller('notes')
@UseGuards(KeyGuard)
class NotesController {
  @McpTool({ name: 'get_note', description: 'Gives one note with all of its text.' })
  @Get(':id')
  get(@Param('id') id: string): object {
    return { id };
  }

  @McpTool('add_note')
  @Post()
  add(@Body() note: Note, @Req() request: object): object {
    return { note, request };
  }

  @Get()
  list(): object[] {
    return [];
  }

  @McpHidden()
  @Delete(':id')
  remove(): void {}
}

@Module({ imports: [McpModule.forRoot({ path: 'mcp' })], controllers: [NotesController] })
export class AppModule {}

@Controller('broken')
class BrokenController {
  @McpTool('not a name') @Get() get(): object {
    return {};
  }
}

@Module({ imports: [McpModule.forRoot()], controllers: [BrokenController] })
export class BrokenModule {}

@Module({ controllers: [NotesController] })
export class PlainModule {}

export function configure(app: INestApplication): void {
  app.setGlobalPrefix('api');
}
