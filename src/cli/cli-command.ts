/** What a run of the command printed, and how it ended: 0 in order, 1 it cannot be done, 2 a wrong call. */
export interface CommandResult {
  readonly code: 0 | 1 | 2;
  readonly output: string;
  readonly errors: string;
}

/** One command of the command line. */
export interface CliCommand {
  /** How it is called and what it does, without the program's name before it. */
  readonly usage: string;
  /**
   * Runs with the arguments after the command's name.
   *
   * @throws WrongCall for arguments that make no sense; Error for what cannot be done, its message for people
   */
  readonly run: (args: readonly string[]) => Promise<CommandResult>;
}

/** The arguments of a command make no sense; the message says which. */
export class WrongCall extends Error {
  static create(problem: string): WrongCall {
    return new WrongCall(problem);
  }
}

/** Reads arguments, so that what `read` throws is a wrong call: `parseArgs` says well what it does not know. */
export function readArguments<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw WrongCall.create(error instanceof Error ? error.message : String(error));
  }
}
