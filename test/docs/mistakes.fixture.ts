import {
  All,
  Body,
  Controller,
  Get,
  Headers,
  Injectable,
  Param,
  Post,
  Put,
  Query,
  Render,
  Search,
  Sse,
  UploadedFile,
  ValidationPipe,
  VersioningType,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import { EMPTY, type Observable } from 'rxjs';
import { McpHidden, McpTool } from '../../src/index.js';
import type { Fixture } from '../support/fixture-app.js';

@Injectable()
class OrdersService {
  @McpTool() find(): void {}
}

/** Each application is named `OrdersController` in the log, as the document has it. */
function named(controller: Type): Type {
  Object.defineProperty(controller, 'name', { value: 'OrdersController' });
  return controller;
}

@Controller('orders')
class UnfitRoutes {
  @McpTool() @McpHidden() @Get('hidden') hidden(): void {}
  @McpTool() @ApiExcludeEndpoint() @Get('undocumented') undocumented(): void {}
  @McpTool() @Sse('watch') watch(): Observable<never> {
    return EMPTY;
  }
  @McpTool() @Render('page') @Get('page') page(): void {}
  @McpTool() @All('any') any(): void {}
  @McpTool() @Search('find') find(): void {}
}

class SearchDto {
  @IsObject() filter!: object;
}

@Controller('orders')
class UnfitArguments {
  @McpTool() @Post('upload') upload(@UploadedFile() file: unknown): unknown {
    return file;
  }
  @McpTool() @Get('mine') mine(@Headers('authorization') token: string): string {
    return token;
  }
  @McpTool() @Get('tenant') tenant(@Headers('x-tenant') tenant: string): string {
    return tenant;
  }
  @McpTool() @Get('search') search(@Query(new ValidationPipe()) query: SearchDto): object {
    return query;
  }
}

@Controller({ path: 'versioned', version: '1' })
class VersionedController {
  @McpTool() @Get() find(): void {}
}

class FlatDto {
  @IsString() id!: string;
}

@Controller('flat')
class FlatController {
  @McpTool() @Put(':id') change(@Param('id') id: string, @Body() body: FlatDto): object {
    return { id, body };
  }
  @McpTool() @Put() replace(@Body() body: string[]): string[] {
    return body;
  }
}

@Controller('names')
class NamesController {
  @McpTool('same') @Get('1') one(): void {}
  @McpTool('same') @Get('2') two(): void {}
  @McpTool('get order') @Get('3') three(): void {}
}

@Controller({ path: 'host', host: 'api.example.com' })
class HostController {
  @McpTool() @Get() find(): void {}
}

@Controller('orders')
class GoodRoute {
  @McpTool('get_order') @Get(':id') find(@Param('id') id: string): string {
    return id;
  }
}

/** Applications with the mistakes that `docs/my-tool-is-missing.md` is about. */
export const MISTAKES: readonly Fixture[] = [
  { controllers: [named(UnfitRoutes)] },
  { controllers: [GoodRoute], providers: [OrdersService], mcp: { pageSize: 0 } },
  { controllers: [named(UnfitArguments)], mcp: { forwardHeaders: ['x-tenant'] } },
  {
    controllers: [VersionedController],
    configure: (app: INestApplication) =>
      void app.enableVersioning({ type: VersioningType.CUSTOM, extractor: () => '1' }),
  },
  { controllers: [FlatController], mcp: { arguments: 'flat' } },
  { controllers: [NamesController] },
  { controllers: [HostController] },
  { controllers: [GoodRoute] },
];
