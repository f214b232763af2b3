import { McpError } from '../mcp.errors.js';
import type { McpContentBlock, McpToolOutput } from './tool-output.js';

/** The descriptor is not exactly an `mcp.tool/v1` action, or not one for this tool. Nothing was sent. */
export class InvalidDescriptorError extends McpError {
  static create(reason: string): InvalidDescriptorError {
    return new InvalidDescriptorError(`The descriptor is refused: ${reason}.`);
  }
}

/** The options name no such server, or pin no such tool of it. Nothing was sent. */
export class UnauthorizedServerToolError extends McpError {
  static create(serverId: string, toolName: string): UnauthorizedServerToolError {
    return new UnauthorizedServerToolError(
      `No option pins the tool ${quote(toolName)} of a server ${quote(serverId)}.`,
    );
  }
}

/**
 * The server said that the operation failed: the tool's result is an error, or the reconcile tool says `failed` or
 * `cancelled`. What it said is for the model to read; the credential of the request is cut out of it.
 */
export class TerminalToolError extends McpError {
  private constructor(
    message: string,
    readonly content: readonly McpContentBlock[],
    readonly structuredContent?: unknown,
  ) {
    super(message);
  }

  static create(toolName: string, said: string, output: McpToolOutput): TerminalToolError {
    const message = `The tool ${quote(toolName)} ${said}.`;
    return 'structuredContent' in output
      ? new TerminalToolError(message, output.content, output.structuredContent)
      : new TerminalToolError(message, output.content);
  }
}

/**
 * Nobody here can tell whether the operation happened. Ask with `McpToolClient.reconcile()`, until it says; never execute
 * it again.
 */
export class UncertainError extends McpError {
  static create(reason: string): UncertainError {
    return new UncertainError(
      `It is uncertain whether the operation happened: ${reason}. Reconcile it, do not execute it again.`,
    );
  }
}

/** The operation failed before its call was sent: nothing was submitted, so that it may be executed again. */
export class McpClientError extends McpError {
  static create(reason: string): McpClientError {
    return new McpClientError(`Nothing was submitted: ${reason}.`);
  }
}

const MAX_QUOTED = 64;

/** A name that came from outside, for a message to people. */
function quote(name: string): string {
  const text = JSON.stringify(name);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
