import type { LoggerService } from '@nestjs/common';

export type Level = 'log' | 'warn' | 'error';

/** Keeps what Nest logs, and prints nothing. */
export class RecordingLogger implements LoggerService {
  private readonly entries: { level: Level; message: string; context: string; rest: string[] }[] =
    [];

  log(message: unknown, ...rest: unknown[]): void {
    this.record('log', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.record('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.record('error', message, rest);
  }

  /** The messages of a level and a context, in order. */
  of(level: Level, context: string): string[] {
    return this.entries
      .filter((entry) => entry.level === level && entry.context === context)
      .map(({ message }) => message);
  }

  /** Everything of a level, with what came along: stacks, say. */
  all(level: Level): string[] {
    return this.entries
      .filter((entry) => entry.level === level)
      .map(({ message, rest }) => [message, ...rest].join('\n'));
  }

  /** Nest hands the context over last. */
  private record(level: Level, message: unknown, rest: readonly unknown[]): void {
    const texts = rest.map(String);
    this.entries.push({
      level,
      message: String(message),
      context: texts.at(-1) ?? '',
      rest: texts,
    });
  }
}
