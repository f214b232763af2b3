import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Injectable,
  Param,
  Post,
  Query,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { McpCall, McpTool, type McpCallContext } from '../../src/index.js';

/** Lets a test see calls in flight, and decide when they end. */
@Injectable()
export class Gate {
  readonly waiting: { readonly call: McpCallContext; readonly release: (value: string) => void }[] =
    [];
  started = 0;
  aborted = 0;

  wait(call: McpCallContext): Promise<object> {
    this.started += 1;
    return new Promise((resolve) => {
      const release = (value: string): void => resolve({ value });
      this.waiting.push({ call, release });
      call.signal.addEventListener('abort', () => {
        this.aborted += 1;
        release('aborted');
      });
    });
  }

  releaseAll(value = 'released'): void {
    for (const { release } of this.waiting.splice(0)) release(value);
  }
}

class ReportDto {
  @IsString() region!: string;
  @IsInt() year!: number;
  @IsOptional() @IsString() note?: string;
}

@Controller('tools')
export class ToolsController {
  constructor(private readonly gate: Gate) {}

  @McpTool({ name: 'echo', title: 'Echo', description: 'Says the text again.' })
  @Get('echo/:text')
  echo(@Param('text') text: string): object {
    return { text };
  }

  @McpTool({ name: 'slow', description: 'Waits.' })
  @Post('slow')
  @HttpCode(200)
  slow(@McpCall() call: McpCallContext): Promise<object> {
    return this.gate.wait(call);
  }

  @McpTool({ name: 'progress', description: 'Tells how far it is.' })
  @Post('progress')
  @HttpCode(200)
  progress(
    @McpCall() call: McpCallContext,
    @Body() body: { steps?: number[]; upTo?: number },
  ): object {
    for (let i = 0; i < (body.upTo ?? 0); i++) call.progress(i);
    for (const step of body.steps ?? []) call.progress(step, 100, `at ${step}`);
    setImmediate(() => call.progress(1_000_000));
    return { done: true };
  }

  @McpTool({ name: 'report', description: 'Takes a body.' })
  @Post('report')
  report(@Body() body: ReportDto): ReportDto {
    return body;
  }

  @McpTool({
    name: 'described',
    title: 'Described',
    description: 'Carries all that a listing can.',
    annotations: { title: 'Hint', openWorldHint: false },
    icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
    meta: { 'example.com/kind': 'demo' },
    output: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
  })
  @Get('described')
  described(): object {
    return { a: 1 };
  }

  @McpTool({
    name: 'numbers',
    description: 'Answers with an array.',
    output: { type: 'array', items: { type: 'integer' } },
  })
  @Get('numbers')
  numbers(): number[] {
    return [1, 2, 3];
  }

  @McpTool({ name: 'picture', description: 'Answers with an image.' })
  @Get('picture')
  @Header('content-type', 'image/png')
  picture(): Uint8Array {
    return Buffer.from('not really a png');
  }

  @McpTool({ name: 'empty', description: 'Answers with nothing.' })
  @Post('empty')
  @HttpCode(204)
  empty(): void {}

  @McpTool({ name: 'missing', description: 'Answers with an error.' })
  @Get('missing')
  missing(@Query('q') q?: string): never {
    throw Object.assign(new Error(`secret cause ${q ?? ''}`), { stack: 'at /secret/path.ts:1' });
  }

  @McpTool({ name: 'throws_null', description: 'Throws null.' })
  @Get('throws-null')
  throwsNull(): never {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what the case P8 is about
    throw null;
  }

  @McpTool({ name: 'rejects_undefined', description: 'Rejects with undefined.' })
  @Get('rejects-undefined')
  rejectsUndefined(): Promise<never> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the case P8 is about
    return Promise.reject(undefined);
  }

  @McpTool({ name: 'large', description: 'Answers with much.' })
  @Get('large')
  large(): object {
    return { text: '"'.repeat(900_000) };
  }
}

/** Who calls is what the header says: `Bearer ann` is ann. */
@Injectable()
export class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, string | undefined>; user?: unknown }>();
    const [, sub] = /^Bearer (\w+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (sub !== undefined) request.user = { scheme: 'bearer', iss: 'https://issuer.example', sub };
    return true;
  }
}

export const TOOLS = { controllers: [ToolsController], providers: [Gate] } as const;

export const as = (user: string): Record<string, string> => ({ authorization: `Bearer ${user}` });
