import type { McpToolOptions } from '../decorators/mcp-tool.decorator.js';
import type { ResolvedOptions } from '../mcp.options.js';
import { scopesProblem } from '../mcp.scopes.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import type { RouteInput } from '../schema/route-input.js';

/** The members that `@McpTool()` knows. */
const KNOWN: ReadonlySet<string> = new Set<keyof McpToolOptions>([
  'name',
  'title',
  'description',
  'annotations',
  'input',
  'output',
  'headers',
  'scopes',
  'icons',
  'meta',
  'timeoutMs',
]);

/** What is wrong with the options of a decorator. */
export function headProblems(
  own: McpToolOptions,
  schemaProblem: (schema: JsonSchemaObject) => string | undefined,
): string[] {
  const problems = Object.keys(own)
    .filter((name) => !KNOWN.has(name))
    .map((name) => `@McpTool() has no option "${name}". It has: ${[...KNOWN].join(', ')}.`);
  const { timeoutMs, input, output, scopes } = own;
  const faulty = scopes === undefined ? undefined : scopesProblem(scopes);
  if (faulty !== undefined) problems.push(`@McpTool({ scopes }): ${faulty}`);
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 1)) {
    problems.push(
      `@McpTool({ timeoutMs: ${String(timeoutMs)} }) is not a whole number of milliseconds, 1 or more.`,
    );
  }
  if (input !== undefined && input.type !== 'object') {
    problems.push(
      `@McpTool({ input }) must have type: 'object' at its root (specification, schema Tool.inputSchema).`,
    );
  }
  for (const [name, schema] of Object.entries({ input, output })) {
    if (schema === undefined) continue;
    if (hasNetworkReference(schema)) {
      problems.push(
        `@McpTool({ ${name} }) has a $ref to another document. Put the schema under $defs and refer to it there.`,
      );
      continue;
    }
    const problem = schemaProblem(schema);
    if (problem !== undefined) {
      problems.push(
        `@McpTool({ ${name} }) is no JSON Schema that values can be checked against: ${problem}. Correct it.`,
      );
    }
  }
  return problems;
}

/** A value that the client's own request carries over is never the model's to choose. */
export function forwardedProblems(input: RouteInput, options: ResolvedOptions): string[] {
  return input.parameters.flatMap(({ place, name }) => {
    const forwarded =
      (place === 'header' && options.forwardHeaders.includes(name)) ||
      (place === 'cookie' && options.forwardCookies.includes(name));
    if (!forwarded) return [];
    const option = place === 'header' ? 'forwardHeaders' : 'forwardCookies';
    return [
      `it reads the ${place} "${name}", which the option ${option} carries over from the client's request. Take it out of ${option}, or out of the route's parameters.`,
    ];
  });
}

function hasNetworkReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) =>
      ((key === '$ref' || key === '$dynamicRef') &&
        typeof member === 'string' &&
        !member.startsWith('#')) ||
      hasNetworkReference(member),
  );
}
