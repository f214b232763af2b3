/** The base of every error that this package throws at its user. Errors on the wire are `JsonRpcError`s and tool results. */
export abstract class McpError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * The application cannot start: what is wrong with the options and the routes of all its endpoints, collected.
 *
 * @example
 * McpModule cannot start, 2 problems:
 *   - option maxDepth: 0 is not an integer from 1 to 1000. Give a number in that range, or leave it out for 128.
 *   - OrdersController.find (GET /orders/:id): the tool name "get order" may only use …
 */
export class McpSetupError extends McpError {
  /** One sentence or two for each problem: where, what, and what to do. */
  readonly problems: readonly string[];

  private constructor(problems: readonly string[], module: string) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(
      `${module} cannot start, ${count}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }

  /** @param module whose options are wrong */
  static create(problems: readonly string[], module = 'McpModule'): McpSetupError {
    return new McpSetupError(problems, module);
  }
}

/** Something was asked of an endpoint before the application was initialized. */
export class McpNotReadyError extends McpError {
  static create(what: string): McpNotReadyError {
    return new McpNotReadyError(
      `${what} is known once the application is initialized. Use it in or after onApplicationBootstrap(), or after app.init().`,
    );
  }
}

/** A tool name that the catalog does not hold. */
export class McpUnknownToolError extends McpError {
  static create(name: string, known: readonly string[]): McpUnknownToolError {
    return new McpUnknownToolError(
      `There is no tool named "${name}". The tools of this endpoint are: ${known.join(', ') || 'none'}.`,
    );
  }
}
