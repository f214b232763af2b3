import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Post,
  Query,
  StreamableFile,
} from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { setTimeout as pause } from 'node:timers/promises';
import { McpCall, McpTool, McpToolCatalog, type McpCallContext } from 'nestjs-mcp-routes';
import { CONTACT_SCHEMA, PNG, WAV } from './values.js';

class RegionQuery {
  @IsOptional() @IsString() region?: string;
}

/** What the suite calls that any route can answer. */
@Controller('content')
export class ContentController {
  constructor(private readonly catalog: McpToolCatalog) {}

  @McpTool({ name: 'about', description: 'Says what this is. The first tool of the list.' })
  @Get('about')
  about(): object {
    return { name: 'conformance fixture' };
  }

  @McpTool({ name: 'test_simple_text', description: 'Answers with a text.' })
  @Get('text')
  @Header('content-type', 'text/plain')
  text(): string {
    return 'This is a simple text response for testing.';
  }

  @McpTool({ name: 'test_image_content', description: 'Answers with an image.' })
  @Get('image')
  image(): StreamableFile {
    return new StreamableFile(PNG, { type: 'image/png' });
  }

  @McpTool({ name: 'test_audio_content', description: 'Answers with a sound.' })
  @Get('audio')
  audio(): StreamableFile {
    return new StreamableFile(WAV, { type: 'audio/wav' });
  }

  @McpTool({ name: 'test_embedded_resource', description: 'Answers with a file.' })
  @Get('resource')
  resource(): StreamableFile {
    return new StreamableFile(Buffer.from('This is an embedded resource.'), {
      type: 'application/octet-stream',
    });
  }

  @McpTool({ name: 'test_multiple_content_types', description: 'Answers with several parts.' })
  @Get('mixed')
  mixed(): StreamableFile {
    const parts = Buffer.concat([
      Buffer.from('--part\r\ncontent-type: text/plain\r\n\r\nMultiple content types test:'),
      Buffer.from('\r\n--part\r\ncontent-type: image/png\r\n\r\n'),
      PNG,
      Buffer.from('\r\n--part\r\ncontent-type: application/pdf\r\n\r\n%PDF\r\n--part--\r\n'),
    ]);
    return new StreamableFile(parts, { type: 'multipart/mixed; boundary=part' });
  }

  @McpTool({ name: 'test_error_handling', description: 'Answers with an error.' })
  @Get('error')
  error(): never {
    throw new BadRequestException('This tool intentionally returns an error for testing');
  }

  @McpTool({ name: 'test_tool_with_progress', description: 'Tells how far it is.' })
  @Post('progress')
  @HttpCode(200)
  async progress(@McpCall() call: McpCallContext | undefined): Promise<object> {
    for (const step of [0, 50, 100]) {
      call?.progress(step, 100, `Completed step ${step} of 100`);
      await pause(50);
    }
    return { done: true };
  }

  @McpTool({
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema of its own.',
    input: CONTACT_SCHEMA,
  })
  @Post('contacts')
  contact(@Body() body: object): object {
    return body;
  }

  @McpTool({
    name: 'test_x_mcp_header',
    description: 'Has a header.',
    headers: { Region: 'region' },
  })
  @Get('region')
  region(@Query() { region }: RegionQuery): object {
    return { region: region ?? null };
  }

  @McpTool({ name: 'test_streaming_elicitation', description: 'Asks for nothing.' })
  @Get('streaming')
  streaming(): object {
    return { asked: false };
  }

  @McpTool({ name: 'test_logging_tool', description: 'Logs nothing to the client.' })
  @Get('logging')
  logging(): object {
    return { logged: 0 };
  }

  @McpTool({ name: 'test_trigger_tool_change', description: 'Changes the list of tools.' })
  @Post('change')
  @HttpCode(200)
  change(): object {
    const served = this.catalog.find('switched') !== undefined;
    if (served) this.catalog.disable('switched');
    else this.catalog.enable('switched');
    return { served: !served };
  }

  @McpTool({ name: 'switched', description: 'Comes and goes.' })
  @Get('switched')
  switched(): object {
    return {};
  }
}
