import {
  Controller,
  Get,
  Header,
  HttpCode,
  NotFoundException,
  Redirect,
  UseInterceptors,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { map } from 'rxjs';
import { McpTool, type McpToolOptions } from '../../src/index.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { RecordingLogger } from '../module/recording-logger.js';

class WrapInterceptor implements NestInterceptor {
  intercept: NestInterceptor['intercept'] = (_context, next) =>
    next.handle().pipe(map((data: unknown) => ({ data })));
}

class OrderView {
  @ApiProperty() id!: number;
  @ApiProperty() status!: string;
}

const output: McpToolOptions['output'] = {
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
};

@Controller('outputs')
class OutputsController {
  @McpTool({ name: 'fits', output }) @Get('fits') fits(): object {
    return { id: 7 };
  }
  @McpTool({ name: 'misfits', output }) @Get('misfits') misfits(): object {
    return { id: 'seven' };
  }
  @McpTool({ name: 'other_misfits', output }) @Get('other-misfits') otherMisfits(): object {
    return {};
  }
  @ApiOkResponse({ type: OrderView })
  @UseInterceptors(WrapInterceptor)
  @McpTool('wrapped')
  @Get('wrapped')
  wrapped(): OrderView {
    return { id: 7, status: 'open' };
  }
  @ApiOkResponse({ type: OrderView }) @McpTool('view') @Get('view') view(): OrderView {
    return { id: 7, status: 'open' };
  }
  @McpTool({ name: 'text', output })
  @Get('text')
  @Header('content-type', 'text/plain')
  text(): string {
    return 'fine';
  }
  @McpTool({ name: 'nothing', output }) @Get('nothing') @HttpCode(204) nothing(): void {}
  @McpTool({ name: 'elsewhere', output })
  @Get('elsewhere')
  @Redirect('/there', 302)
  elsewhere(): void {}
  @McpTool({ name: 'missing', output }) @Get('missing') missing(): never {
    throw new NotFoundException('order 7');
  }
  @ApiNoContentResponse()
  @McpTool('no_content')
  @Get('no-content')
  @HttpCode(204)
  noContent(): void {}
}

describe.each(PLATFORMS)(
  'result on $name: what a tool with an output schema answers',
  (platform) => {
    let app: FixtureApp;
    const logger = new RecordingLogger();
    beforeAll(async () => {
      app = await FixtureApp.start({ platform, controllers: [OutputsController], logger });
    });
    afterAll(() => app.close());

    const error = (text: string): Partial<CallResult> => ({
      isError: true,
      content: [{ type: 'text', text }],
    });
    const lines = (tool: string): string[] =>
      logger.of('warn', 'McpModule').filter((line) => line.startsWith(`Tool ${tool}: `));

    it.each([
      ['fits', { id: 7 }],
      ['view', { id: 7, status: 'open' }],
    ])('%s: structure that fits', async (tool, structure) => {
      const result = await app.call(tool);
      expect(result.structuredContent).toEqual(structure);
      expect(result).not.toHaveProperty('isError');
      expect(lines(tool)).toEqual([]);
    });

    it('a body that an interceptor wrapped is an error that says where, with status and body', async () => {
      const result = await app.call('wrapped');
      const text = textOf(result);
      expect(result.isError).toBe(true);
      expect(result).not.toHaveProperty('structuredContent');
      expect(text).toMatch(
        /^The operation answered 200, but its result does not fit the declared output schema: .*\bid\b.*\bstatus\b.*\n/,
      );
      expect(text.endsWith('\n{"data":{"id":7,"status":"open"}}')).toBe(true);
    });

    it.each([
      ['text', 200, '\nfine'],
      ['nothing', 204, ''],
      ['elsewhere', 302, '\n/there'],
    ])('%s is an error that names the status', async (tool, status, rest) => {
      expect(await app.call(tool)).toMatchObject(
        error(
          `The operation answered ${status} without the JSON that its output schema declares.${rest}`,
        ),
      );
    });

    it('a failure of the route stays as it is', async () => {
      expect(await app.call('missing')).toMatchObject(
        error('{"message":"order 7","error":"Not Found","statusCode":404}'),
      );
      expect(lines('missing')).toEqual([]);
    });

    it('a route whose only success is 204 declares no output, and its empty answer is no error', async () => {
      const client = await app.client();
      const tool = (await client.listTools()).find(({ name }) => name === 'no_content');
      expect(tool).not.toHaveProperty('outputSchema');
      expect(await app.call('no_content')).toMatchObject({ content: [] });
    });

    it('a misfit is logged once for each tool, however often it comes', async () => {
      for (const tool of ['misfits', 'other_misfits', 'misfits', 'misfits', 'other_misfits']) {
        expect((await app.call(tool)).isError).toBe(true);
      }
      expect(lines('misfits')).toEqual([
        expect.stringMatching(/^Tool misfits: the result does not fit the output schema: .*\bid\b/),
      ]);
      expect(lines('other_misfits')).toEqual([
        expect.stringMatching(
          /^Tool other_misfits: the result does not fit the output schema: .*\bid\b/,
        ),
      ]);
    });

    it.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)(
      'official clients of %s take every one of these results',
      async (revision) => {
        const client = await app.client({ revision });
        const tools = await client.listTools();
        expect(tools.find(({ name }) => name === 'fits')?.outputSchema).toEqual(output);
        for (const { name } of tools) {
          const result = await client.rawCall(name);
          const ok = ['fits', 'view', 'no_content'].includes(name);
          expect([name, result.isError ?? false]).toEqual([name, !ok]);
        }
      },
    );
  },
);
