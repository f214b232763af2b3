import { callTool, type ReadyCall } from './call-tool.js';
import type { PinnedTool, ResolvedClientOptions, ResolvedServer } from './client-options.js';
import type { Connection } from './connection.js';
import { InvalidDescriptorError } from './errors.js';
import { ExchangeError } from './exchange-error.js';
import { compileInputCheck, type InputCheck } from './input-schema.js';
import { findPinned, listTools } from './list-tools.js';
import { openConnection } from './open-connection.js';
import { paramHeaders } from './param-headers.js';
import { deadline } from './read-body.js';
import { MODERN_REVISION } from '../protocol/revision.js';
import type { ToolAnswer } from './tool-output.js';
import { Wire } from './wire.js';

/** A call of a pinned tool, its operation id in place. */
export interface Operation {
  readonly server: ResolvedServer;
  readonly tool: PinnedTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly operationId: string;
}

/** A submission failed; `submitted` says whether the call may have arrived. */
export class SubmissionError extends Error {
  constructor(
    readonly reason: string,
    readonly submitted: boolean,
  ) {
    super(reason);
    this.name = 'SubmissionError';
  }
}

/** Opens a server, looks at the tool, and submits the call, once. */
export class Submitter {
  /** By digest, so that there are no more of them than pinned tools. */
  private readonly checks = new Map<string, InputCheck>();

  constructor(private readonly options: ResolvedClientOptions) {}

  /**
   * @throws SubmissionError for everything but an answer; InvalidDescriptorError, before the call, for arguments that do not fit
   */
  async submit(operation: Operation, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    const wire = new Wire(operation.server, this.options, signal);
    const { requestTimeoutMs } = this.options;
    let connection: Connection | undefined;
    let isCalling = false;
    let isAbandoned = false;
    try {
      connection = await openConnection(wire);
      const call = await this.prepare(connection, operation);
      isCalling = true;
      return await callTool(connection, operation.server, call, { requestTimeoutMs, signal });
    } catch (error) {
      if (error instanceof InvalidDescriptorError && !isCalling) throw error;
      const { reason, details } = asExchangeError(error);
      const submitted = isCalling && details.unsent !== true;
      isAbandoned = submitted && details.abandoned === true;
      throw new SubmissionError(reason, submitted);
    } finally {
      await this.leave(wire, isAbandoned ? connection : undefined);
    }
  }

  /** The call, once the tool is seen to be what the options pin. */
  private async prepare(connection: Connection, operation: Operation): Promise<ReadyCall> {
    const { tool, arguments: args, operationId } = operation;
    const { inputSchema } = findPinned(await listTools(connection, this.options), tool);
    const check = this.checks.get(tool.digest) ?? compileInputCheck(inputSchema);
    this.checks.set(tool.digest, check);
    const misfit = check(args);
    if (misfit !== undefined)
      throw InvalidDescriptorError.create(`its arguments do not fit the tool, ${misfit}`);
    const call = { name: tool.name, arguments: args, operationId };
    if (connection.revision !== MODERN_REVISION) return { ...call, headers: {} };
    const written = paramHeaders(inputSchema, args);
    if ('problem' in written) throw new ExchangeError(written.problem);
    return { ...call, headers: written.headers };
  }

  /** Tells the server, as far as it listens, that the call is not wanted any more, and that the session is over. */
  private async leave(wire: Wire, abandoned: Connection | undefined): Promise<void> {
    const time = deadline(this.options.cancelTimeoutMs, undefined);
    try {
      await abandoned?.cancel(time.signal).catch(() => {});
      await wire.endSession(time.signal);
    } catch {
      // The outcome is known by now, and this does not change it.
    } finally {
      time.clear();
    }
  }
}

function asExchangeError(error: unknown): ExchangeError {
  return error instanceof ExchangeError ? error : new ExchangeError('the client itself failed');
}
