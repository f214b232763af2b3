import { cut } from '../dispatch/argument-text.js';
import {
  COOKIE_VALUE_RULE,
  FIELD_VALUE_RULE,
  isCookieValue,
  isFieldValue,
} from '../dispatch/header-syntax.js';
import { segmentProblem } from '../dispatch/path-segment.js';
import { compileSource } from './mapping.js';
import type { ParameterPlace, ParameterStyle, RestParameter, Serialization } from './operation.js';
import { encodeAllowingReserved, encodeStrictly, serialize, type ValueStyle } from './serialize.js';

/** Writes one parameter of the arguments; `undefined` where it has no value. */
export type ParameterWriter = (args: unknown, problems: string[]) => string | undefined;

const DEFAULT_STYLES: Readonly<Record<ParameterPlace, ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/** A comma in an element would be read as the end of it; empty ones and outer spaces are not read (RFC 9110, section 5.6.1). */
const NO_HEADER_PART = /[,=]|^[\t ]|[\t ]$|^$/;
const HEADER_LIST_RULE =
  'must hold no comma and no equals sign, which separate the parts of this header, and neither be empty nor have a space at either end';

const verbatim = (text: string) => text;

/** Fills in the defaults of OpenAPI 3. */
export function styleOf(
  place: ParameterPlace,
  { style = DEFAULT_STYLES[place], explode, allowReserved = false }: Serialization,
): ValueStyle {
  const encode = allowReserved && place === 'query' ? encodeAllowingReserved : encodeStrictly;
  return { style, explode: explode ?? (style === 'form' || style === 'deepObject'), encode };
}

/** Compiles the writer of one parameter: a piece of the path, `name=value` pairs, or the value of a header or cookie. */
export function compileParameter(parameter: RestParameter): ParameterWriter {
  const map = compileSource(parameter, 'the arguments');
  const write = compileValue(parameter);
  const isNeeded = parameter.in === 'path';
  return (args, problems) => {
    const found = problems.length;
    const value = map(args, problems);
    const text = value === undefined ? undefined : write(value, problems);
    if (text === undefined && isNeeded && problems.length === found) {
      problems.push(`${labelOf(parameter)} is required`);
    }
    return text;
  };
}

function compileValue(
  parameter: RestParameter,
): (value: unknown, problems: string[]) => string | undefined {
  const { name, in: place } = parameter;
  const label = labelOf(parameter);
  const style = styleOf(place, parameter);
  const asText = parameter.json === true ? (value: unknown) => JSON.stringify(value) : verbatim;
  const read = asText as (value: unknown) => unknown;
  switch (place) {
    case 'path': {
      const checked = { ...style, problemOf: segmentProblem };
      return (value, problems) => serialize(name, read(value), checked, label, problems);
    }
    case 'query':
      return (value, problems) => serialize(name, read(value), style, label, problems);
    case 'cookie':
      return (value, problems) => rawText(read(value), 'cookie', label, problems);
    case 'header':
      return (value, problems) => headerText(name, read(value), style, label, problems);
  }
}

/** A header is not percent-encoded (OpenAPI 3.1.1, appendix D): what cannot stand in one is refused. */
function headerText(
  name: string,
  value: unknown,
  style: ValueStyle,
  label: string,
  problems: string[],
): string | undefined {
  if (typeof value !== 'object') return rawText(value, 'header', label, problems);
  const problemOf = (text: string) => (NO_HEADER_PART.test(text) ? HEADER_LIST_RULE : undefined);
  const text = serialize(name, value, { ...style, encode: verbatim, problemOf }, label, problems);
  return text === undefined ? undefined : rawText(text, 'header', label, problems);
}

function rawText(
  value: unknown,
  place: 'header' | 'cookie',
  label: string,
  problems: string[],
): string | undefined {
  if (value === null) return undefined;
  const style: ValueStyle = {
    style: 'simple',
    explode: false,
    encode: verbatim,
    problemOf: place === 'header' ? fieldProblem : cookieProblem,
  };
  if (typeof value === 'object') {
    problems.push(`${label} must be a string, a number or a boolean`);
    return undefined;
  }
  return serialize('', value, style, label, problems);
}

function fieldProblem(text: string): string | undefined {
  return isFieldValue(text) ? undefined : FIELD_VALUE_RULE;
}

function cookieProblem(text: string): string | undefined {
  return isCookieValue(text) ? undefined : COOKIE_VALUE_RULE;
}

/** How messages call a parameter. */
export function labelOf({ name, in: place }: RestParameter): string {
  return `the ${place} parameter ${JSON.stringify(cut(name))}`;
}
