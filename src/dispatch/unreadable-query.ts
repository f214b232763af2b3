import type { RouteInput, RouteParameter } from '../schema/route-input.js';
import { isMembers } from './argument-text.js';
import { sampleValues } from './sample-values.js';
import { compilePairWriter, RequestTooLarge, type PairParser } from './write-query.js';

/** Longer than any sample. */
const MAX_BYTES = 1024 * 1024;

/**
 * The members of the query that no call can write, whatever value a model chooses: the application's own parser reads none
 * of the values back that their schema takes, an object behind a parser that knows no nesting, say. Members of which only a
 * value decides are not among them.
 *
 * @returns why the route cannot be a tool, each with what to do, without the route's name
 */
export function unreadableQuery(
  { parameters, schema: root }: RouteInput,
  parse: PairParser,
): readonly string[] {
  return parameters.flatMap(({ place, name, schema }: RouteParameter) => {
    const samples = place === 'query' ? sampleValues(schema, root) : undefined;
    if (samples === undefined || samples.length === 0) return [];
    if (samples.some((value) => isReadBack(name, value, parse))) return [];
    return [
      `it reads ${kind(samples)} from the query "${name}", and this application's query parser makes none of any text that a call ` +
        "could write: give the application another parser before it starts (Express: app.set('query parser', 'extended'); " +
        'Fastify: new FastifyAdapter({ routerOptions: { querystringParser } })), or leave the member out of the tool with @McpTool({ input })',
    ];
  });
}

function isReadBack(name: string, value: unknown, parse: PairParser): boolean {
  const known = new Set([name]);
  const write = compilePairWriter({
    base: 'query',
    reader: 'query parser',
    known,
    open: false,
    parse,
    maxBytes: MAX_BYTES,
  });
  const problems: string[] = [];
  try {
    write({ [name]: value }, problems);
  } catch (error) {
    // Only a value decides how long it is.
    if (!(error instanceof RequestTooLarge)) throw error;
  }
  return problems.length === 0;
}

function kind(samples: readonly unknown[]): string {
  if (samples.every(isMembers)) return 'an object';
  return samples.every((value) => Array.isArray(value)) ? 'a list' : 'a value';
}
