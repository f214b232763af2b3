import { Inject, Injectable } from '@nestjs/common';
import { MCP_CLIENT_OPTIONS } from '../mcp.constants.js';
import { isObject } from '../protocol/codec.js';
import type { ResolvedClientOptions } from './client-options.js';
import { copyDescriptor, type McpToolDescriptor } from './descriptor.js';
import {
  InvalidDescriptorError,
  McpClientError,
  TerminalToolError,
  UnauthorizedServerToolError,
  UncertainError,
} from './errors.js';
import { placeValue } from './json-pointer.js';
import { Submitter, SubmissionError, type Operation } from './submit.js';
import { outputOf, withoutSecret, type McpToolOutput, type ToolAnswer } from './tool-output.js';

/** What an operation id may be: visible characters of ASCII, so that every server keeps it as it is. */
const OPERATION_ID = /^[\x21-\x7e]{1,256}$/;

/**
 * Calls the tools that the options pin. Each operation has an exchange of its own with the server: nothing of one is left for the
 * next.
 */
@Injectable()
export class McpToolClient {
  private readonly submitter: Submitter;

  constructor(@Inject(MCP_CLIENT_OPTIONS) private readonly options: ResolvedClientOptions) {
    this.submitter = new Submitter(options);
  }

  /**
   * Submits an operation once.
   *
   * @param descriptor what to do, as `decodeDescriptor` read it
   * @param operationId the operation's own name, 1 to 256 visible characters of ASCII: the caller makes it, never the model
   * @param signal gives up; what was submitted by then is uncertain
   * @throws InvalidDescriptorError, UnauthorizedServerToolError and McpClientError: nothing was submitted; TerminalToolError: the
   *   tool says that it failed; UncertainError: reconcile it
   */
  async execute(
    descriptor: McpToolDescriptor,
    operationId: string,
    signal?: AbortSignal,
  ): Promise<McpToolOutput> {
    const operation = this.authorize(descriptor, operationId);
    const { tool } = operation;
    try {
      const answer = await this.submitter.submit(operation, signal);
      if (answer.isError)
        throw terminal(tool.name, 'answered with an error', answer, answer.structured);
      return outputOf(answer, answer.structured);
    } catch (error) {
      if (!(error instanceof SubmissionError)) throw error;
      throw error.submitted
        ? UncertainError.create(error.reason)
        : McpClientError.create(error.reason);
    }
  }

  /**
   * Asks the server's reconcile tool what became of an operation. The operation's own tool is not called.
   *
   * @throws TerminalToolError when it failed or was cancelled; UncertainError for everything that is no such word on this very
   *   operation; InvalidDescriptorError and UnauthorizedServerToolError as `execute` does
   */
  async reconcile(
    descriptor: McpToolDescriptor,
    operationId: string,
    signal?: AbortSignal,
  ): Promise<McpToolOutput> {
    const { server, tool } = this.authorize(descriptor, operationId);
    const { reconcile } = server;
    if (reconcile?.operationId === undefined) {
      throw UncertainError.create('the server has no reconcile tool, since its tools only read');
    }
    const placed = placeValue({}, reconcile.operationId, operationId);
    if ('problem' in placed) throw UncertainError.create(placed.problem);
    const operation = { server, tool: reconcile, arguments: placed.root, operationId };
    const answer = await this.submitter.submit(operation, signal).catch(nothingLearnt);
    return stateOf(answer, tool.name, operationId);
  }

  private authorize(given: McpToolDescriptor, operationId: string): Operation {
    const descriptor = copyDescriptor(given);
    const server = this.options.servers.get(descriptor.server_id);
    const tool = server?.tools.get(descriptor.tool_name);
    if (server === undefined || tool === undefined) {
      throw UnauthorizedServerToolError.create(descriptor.server_id, descriptor.tool_name);
    }
    if (typeof operationId !== 'string' || !OPERATION_ID.test(operationId)) {
      throw McpClientError.create('the operation id is not 1 to 256 visible characters of ASCII');
    }
    if (tool.operationId === undefined) {
      return { server, tool, arguments: descriptor.arguments, operationId };
    }
    const placed = placeValue(descriptor.arguments, tool.operationId, operationId);
    if ('problem' in placed) throw InvalidDescriptorError.create(placed.problem);
    return { server, tool, arguments: placed.root, operationId };
  }
}

/** The operation may have happened whatever becomes of asking, so that this is never "nothing was submitted". */
function nothingLearnt(error: unknown): never {
  const reason = error instanceof SubmissionError ? error.reason : 'its arguments do not fit';
  throw UncertainError.create(`the reconcile tool told nothing: ${reason}`);
}

/** What a status says: `{ operation_id, state, output? }`. */
function stateOf(answer: ToolAnswer, toolName: string, operationId: string): McpToolOutput {
  const { structured, isError } = answer;
  if (isError || !isObject(structured) || structured['operation_id'] !== operationId) {
    throw UncertainError.create('the reconcile tool told nothing of this operation');
  }
  const { state, output } = structured;
  if (state === 'succeeded') return outputOf(answer, output);
  if (state === 'failed' || state === 'cancelled') {
    throw terminal(toolName, `is reported as ${state}`, answer, output);
  }
  throw UncertainError.create('the reconcile tool does not say that it ended');
}

function terminal(
  toolName: string,
  said: string,
  answer: ToolAnswer,
  structured: unknown,
): TerminalToolError {
  const output = withoutSecret(outputOf(answer, structured), answer.authorization);
  return TerminalToolError.create(toolName, said, output);
}
