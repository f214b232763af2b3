import type { Mapping, ValueSource } from './operation.js';
import { parsePointer, valueAt } from './pointer.js';

/** Makes a value of a source; `undefined` where there is none. Says in `problems` which required value is missing. */
export type Mapper = (source: unknown, problems: string[]) => unknown;

/**
 * Compiles a mapping.
 *
 * @param what names the source in messages, such as `the arguments`
 */
export function compileMapping(mapping: Mapping, what: string): Mapper {
  if ('object' in mapping) return objectMapper(mapping.object, what);
  if ('list' in mapping) {
    const elements = mapping.list.map((element) => compileMapping(element, what));
    return (source, problems) =>
      elements.map((map) => map(source, problems)).filter((value) => value !== undefined);
  }
  return compileSource(mapping, what);
}

export function compileSource(source: ValueSource, what: string): Mapper {
  if ('value' in source) return () => source.value;
  const { from, required = false } = source;
  const tokens = parsePointer(from);
  return (root, problems) => {
    const value = valueAt(root, tokens);
    if (value === undefined && required)
      problems.push(`${from || 'a value'} is missing in ${what}`);
    return value;
  };
}

/** The members stand beside one another in a new object, so that `__proto__` is a name like any other. */
function objectMapper(members: Readonly<Record<string, Mapping>>, what: string): Mapper {
  const mappers = Object.entries(members).map(
    ([name, member]) => [name, compileMapping(member, what)] as const,
  );
  return (source, problems) =>
    Object.fromEntries(
      mappers
        .map(([name, map]) => [name, map(source, problems)] as const)
        .filter(([, value]) => value !== undefined),
    );
}
