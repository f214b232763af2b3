import { ForbiddenException, HttpException } from '@nestjs/common';
import type { Tool } from '../catalog/tool.js';
import type { HttpPair } from '../protocol/channel.js';
import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import { mapBounded, within } from './bounded.js';
import { allow, type GuardSource } from './guards.js';
import { judged } from './outgoing.js';
import { refusal } from './refusal.js';
import type { McpResponseGuard } from './response-guard.js';
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

/** A call that is judged. */
export interface JudgedCall {
  readonly tool: Tool;
  readonly http: HttpPair;
  readonly args: Record<string, unknown>;
}

/** Who sees a tool, who may call it, and what may leave. Everything that goes wrong refuses. */
export class Policy {
  constructor(private readonly parts: PolicyParts) {}

  /**
   * @returns the tools that the caller may see
   * @throws what a guard throws that is no refusal
   */
  async visible(tools: readonly Tool[], http: HttpPair): Promise<readonly Tool[]> {
    const { toolGuards, listTimeoutMs } = this.parts;
    if (toolGuards.length === 0) return tools;
    return within(listTimeoutMs, filter(toolGuards, tools, http));
  }

  /**
   * Asks the tool guards about a call, within its own request: what they throw is written by the application's filters.
   *
   * @returns whether the call may go on
   */
  mayCall({ tool, http, args }: JudgedCall): Promise<boolean> {
    return allow(this.parts.toolGuards, http.request, toolContext(tool, http, args));
  }

  /**
   * Judges an answer that came before the tool guards were asked, since no request could be written: what is wrong with the
   * arguments is told only to who may call. Never rejects.
   */
  async admit(call: JudgedCall, made: MadeResult, context: ResultContext): Promise<MadeResult> {
    try {
      if (await within(call.tool.timeoutMs, this.mayCall(call))) return made;
      throw new ForbiddenException();
    } catch (error) {
      return refusal(error, context);
    }
  }

  /** Whether results have to be judged as they go out. */
  get judgesResults(): boolean {
    return this.parts.recheck || this.parts.responseGuard !== undefined;
  }

  /**
   * Asks once more whether the caller may have anything of a call, where `recheck` is on.
   *
   * @throws what refuses
   */
  async recheck({ tool, http, args }: JudgedCall): Promise<void> {
    if (!this.parts.recheck) return;
    const asked = allow(this.guardsOfRecheck, http.request, toolContext(tool, http, args));
    if (!(await within(tool.timeoutMs, asked))) throw new ForbiddenException();
  }

  /**
   * Judges a call's result as it goes out: the caller once more, then what it carries. Never rejects.
   *
   * @returns `made` itself where it may go as it is
   */
  async release(call: JudgedCall, made: MadeResult, context: ResultContext): Promise<MadeResult> {
    try {
      await this.recheck(call);
      const { responseGuard } = this.parts;
      if (responseGuard === undefined || !made.carriesSuccess) return made;
      const { tool, http } = call;
      const subject = { tool, caller: http.request };
      return await within(tool.timeoutMs, judged(responseGuard, subject, made, context));
    } catch (error) {
      return refusal(error, context);
    }
  }

  /**
   * Judges a list as it goes out.
   *
   * @throws what refuses the list as a whole
   */
  releaseList(tools: readonly Tool[], http: HttpPair): Promise<readonly Tool[]> {
    return within(this.parts.listTimeoutMs, this.judgeList(tools, http));
  }

  private async judgeList(tools: readonly Tool[], http: HttpPair): Promise<readonly Tool[]> {
    const { recheck, responseGuard } = this.parts;
    const left = recheck ? await filter(this.guardsOfRecheck, tools, http) : tools;
    // Frozen, for a guard that takes tools out of it would believe that they are gone.
    const shown = Object.freeze([...left]);
    const given: unknown = await responseGuard?.check({
      tool: null,
      caller: http.request,
      tools: shown,
    });
    if (given !== undefined) {
      throw new TypeError('A response guard must return nothing for a list: it cannot be changed.');
    }
    return left;
  }

  private get guardsOfRecheck(): readonly GuardSource[] {
    return [...this.parts.endpointGuards, ...this.parts.toolGuards];
  }
}

async function filter(
  guards: readonly GuardSource[],
  tools: readonly Tool[],
  http: HttpPair,
): Promise<readonly Tool[]> {
  const seen = await mapBounded(tools, LIST_WIDTH, async (tool) => {
    try {
      return await allow(guards, http.request, toolContext(tool, http));
    } catch (error) {
      if (error instanceof HttpException && HIDING.has(error.getStatus())) return false;
      throw error;
    }
  });
  return tools.filter((_, index) => seen[index] === true);
}
