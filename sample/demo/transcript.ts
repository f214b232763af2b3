import { isDeepStrictEqual } from 'node:util';

/** Prints what happens, and remembers every answer that was not the right one. */
export class Transcript {
  readonly faults: string[] = [];
  private checks = 0;

  heading(text: string): void {
    this.print(`\n== ${text}`);
  }

  print(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** The members of `actual` that `expected` names must equal it; a plain value must equal it whole. */
  expect(what: string, actual: unknown, expected: unknown): void {
    this.checks++;
    const seen = excerpt(actual, expected);
    if (isDeepStrictEqual(seen, expected)) return;
    const fault = `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(seen)}`;
    this.faults.push(fault);
    this.print(`  WRONG  ${fault}`);
  }

  /** @returns whether every answer was the right one */
  conclude(): boolean {
    const right = this.checks - this.faults.length;
    this.print(`\n${right} of ${this.checks} answers were the right ones.`);
    return this.faults.length === 0 && this.checks > 0;
  }
}

/** `actual` with only the members, at every depth, that `shape` has. */
export function excerpt(actual: unknown, shape: unknown): unknown {
  if (!isRecord(actual) || !isRecord(shape)) return actual;
  const members = Object.entries(shape).filter(([name]) => Object.hasOwn(actual, name));
  return Object.fromEntries(members.map(([name, inner]) => [name, excerpt(actual[name], inner)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
