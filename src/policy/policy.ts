import { ForbiddenException, HttpException } from '@nestjs/common';
import type { Tool } from '../catalog/tool.js';
import type { HttpPair } from '../protocol/channel.js';
import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import { errorResult, textContent, type ToolResult } from '../result/tool-result.js';
import { mapBounded, within } from './bounded.js';
import { allow, type GuardSource } from './guards.js';
import type { McpResponseGuard, OutgoingResult } from './response-guard.js';
import { toolContext } from './tool-execution-context.js';

/** How many tools of a list are judged at a time. */
const LIST_WIDTH = 16;

/** The statuses by which a guard says that the caller may not see a tool: anything else is a failure. */
const HIDING = new Set([401, 403, 404]);

/** What an endpoint's policy is made of. */
export interface PolicyParts {
  readonly toolGuards: readonly GuardSource[];
  /** The endpoint's own guards, asked again at the end where `recheck` is on. */
  readonly endpointGuards: readonly GuardSource[];
  readonly recheck: boolean;
  readonly responseGuard: McpResponseGuard | undefined;
  /** How long a list may be judged, in milliseconds. */
  readonly listTimeoutMs: number;
}

/** Who sees a tool, who may call it, and what may leave. Everything that goes wrong refuses. */
export class Policy {
  constructor(private readonly parts: PolicyParts) {}

  /**
   * @returns the tools that the caller may see
   * @throws what a guard throws that is no refusal
   */
  visible(tools: readonly Tool[], http: HttpPair): Promise<readonly Tool[]> {
    const { toolGuards, listTimeoutMs } = this.parts;
    if (toolGuards.length === 0) return Promise.resolve(tools);
    return within(listTimeoutMs, this.filter(tools, http));
  }

  /**
   * Asks the tool guards about a call, within its own request: what they throw is written by the application's filters.
   *
   * @returns whether the call may go on
   */
  mayCall(tool: Tool, http: HttpPair, args: Record<string, unknown>): Promise<boolean> {
    return allow(this.parts.toolGuards, http.request, toolContext(tool, http, args));
  }

  get guardsCalls(): boolean {
    return this.parts.toolGuards.length > 0;
  }

  /** Whether results have to be judged as they go out. */
  get judgesResults(): boolean {
    return this.parts.recheck || this.parts.responseGuard !== undefined;
  }

  /** Judges a call's result as it goes out: the caller once more, then what it carries. */
  async release(
    tool: Tool,
    http: HttpPair,
    args: Record<string, unknown>,
    made: MadeResult,
    context: ResultContext,
  ): Promise<MadeResult> {
    try {
      return await within(tool.timeoutMs, this.judge(tool, http, args, made, context));
    } catch (error) {
      return refused(error, context);
    }
  }

  /**
   * Judges a list as it goes out.
   *
   * @throws what refuses the list as a whole
   */
  async releaseList(tools: readonly Tool[], http: HttpPair): Promise<readonly Tool[]> {
    const { recheck, endpointGuards, responseGuard, listTimeoutMs } = this.parts;
    const judge = async (): Promise<readonly Tool[]> => {
      let released = tools;
      if (recheck) {
        const [first] = tools;
        if (
          first !== undefined &&
          !(await allow(endpointGuards, http.request, toolContext(first, http)))
        ) {
          throw new ForbiddenException();
        }
        released = await this.filter(tools, http);
      }
      await responseGuard?.check({ tool: null, caller: http.request, tools: released });
      return released;
    };
    return within(listTimeoutMs, judge());
  }

  private async filter(tools: readonly Tool[], http: HttpPair): Promise<readonly Tool[]> {
    const { toolGuards } = this.parts;
    const seen = await mapBounded(tools, LIST_WIDTH, async (tool) => {
      try {
        return await allow(toolGuards, http.request, toolContext(tool, http));
      } catch (error) {
        if (error instanceof HttpException && HIDING.has(error.getStatus())) return false;
        throw error;
      }
    });
    return tools.filter((_, index) => seen[index] === true);
  }

  private async judge(
    tool: Tool,
    http: HttpPair,
    args: Record<string, unknown>,
    made: MadeResult,
    context: ResultContext,
  ): Promise<MadeResult> {
    const { recheck, endpointGuards, toolGuards, responseGuard } = this.parts;
    if (recheck) {
      const guards = [...endpointGuards, ...toolGuards];
      const allowed = await allow(guards, http.request, toolContext(tool, http, args));
      if (!allowed) throw new ForbiddenException();
    }
    if (responseGuard === undefined || !made.carriesSuccess) return made;
    const result = outgoing(made.result);
    const replaced = await responseGuard.check({ tool, caller: http.request, result });
    return replaced === undefined ? made : replacement(replaced, made, context);
  }
}

function outgoing({ content, structured, isError }: ToolResult): OutgoingResult {
  return {
    content: JSON.parse(content) as OutgoingResult['content'],
    ...(structured === undefined ? {} : { structuredContent: structured.value }),
    isError,
  };
}

/** A replaced result is held to what the route's own is held to. */
function replacement(
  replaced: OutgoingResult,
  made: MadeResult,
  context: ResultContext,
): MadeResult {
  const { content, structuredContent: value, isError } = replaced as Partial<OutgoingResult>;
  if (
    !Array.isArray(content) ||
    content.some((block: unknown) => typeof block !== 'object' || block === null)
  ) {
    throw new TypeError(
      'A response guard must return nothing, or a result with a list of content blocks.',
    );
  }
  const misfits = isError === true ? [] : (context.checkOutput?.(value) ?? []);
  if (misfits.length > 0) {
    const told = `The result was changed before it left, and does not fit the declared output schema any more: ${misfits.join('; ')}.`;
    const result = {
      isError: true,
      content: textContent(told),
      structured: undefined,
      ref: undefined,
    };
    return { ...made, result, log: { message: told } };
  }
  const structured =
    value === undefined || isError === true ? undefined : { text: JSON.stringify(value), value };
  const result = {
    isError: isError === true,
    content: JSON.stringify(content),
    structured,
    ref: made.result.ref,
  };
  return { ...made, result };
}

/** What a refusal looks like to the model: the guard's own words when it has some, else nothing but a reference. */
function refused(error: unknown, { newRef }: ResultContext): MadeResult {
  if (error instanceof HttpException && error.getStatus() < 500) {
    const body = error.getResponse();
    const statusCode = error.getStatus();
    const text = JSON.stringify(typeof body === 'string' ? { statusCode, message: body } : body);
    const result = {
      isError: true,
      content: textContent(text),
      structured: undefined,
      ref: undefined,
    };
    return { result, status: statusCode, carriesSuccess: false };
  }
  const ref = newRef();
  return {
    result: errorResult({ statusCode: 500, message: 'Internal server error' }, ref),
    status: 500,
    carriesSuccess: false,
    log: { message: `the policy failed (ref ${ref})`, error },
  };
}
