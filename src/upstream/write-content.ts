import { hasLoneSurrogate, isMembers, memberLabel, scalarText } from '../dispatch/argument-text.js';
import {
  assembleParts,
  disposition,
  fileParts,
  isUnsafeName,
  type FormPart,
} from '../dispatch/write-multipart.js';
import { compileMapping } from './mapping.js';
import type { FieldEncoding, RestBody } from './operation.js';
import { serialize } from './serialize.js';
import { styleOf } from './write-parameters.js';

export interface WrittenContent {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Writes the body of the arguments; `undefined` where there is none. */
export type BodyWriter = (args: unknown, problems: string[]) => WrittenContent | undefined;

/** How a body is written. */
export type BodyFormat = 'json' | 'urlencoded' | 'multipart' | 'text';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;

/** How a body of the media type is written; `undefined` for one that cannot be. */
export function formatOf(contentType: string): BodyFormat | undefined {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (JSON_TYPE.test(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'urlencoded';
  if (essence === 'multipart/form-data') return 'multipart';
  return essence.startsWith('text/') ? 'text' : undefined;
}

/** Compiles the writer of a body whose media type has a format. */
export function compileBody({ contentType, content, encoding = {} }: RestBody): BodyWriter {
  const map = compileMapping(content, 'the arguments');
  const format = formatOf(contentType);
  return (args, problems) => {
    const value = map(args, problems);
    if (value === undefined) return undefined;
    switch (format) {
      case 'urlencoded':
        return withType(contentType, urlencoded(value, encoding, problems));
      case 'multipart':
        return multipart(value, encoding, problems);
      case 'text':
        return withType(contentType, text(value, problems));
      default:
        return withType(contentType, JSON.stringify(value));
    }
  };
}

function withType(contentType: string, text: string): WrittenContent {
  return { contentType, bytes: Buffer.from(text) };
}

function text(value: unknown, problems: string[]): string {
  if (typeof value === 'string' && !hasLoneSurrogate(value)) return value;
  problems.push('the body must be a string, without half of a surrogate pair');
  return '';
}

function urlencoded(
  value: unknown,
  encoding: Readonly<Record<string, FieldEncoding>>,
  problems: string[],
): string {
  return membersOf(value, problems)
    .map(([name, member]) => {
      const label = memberLabel('body', name);
      const field = encodingOf(encoding, name);
      const written = field.json === true ? JSON.stringify(member) : member;
      return serialize(name, written, styleOf('query', field), label, problems);
    })
    .filter((pair) => pair !== undefined)
    .join('&');
}

/** RFC 7578, section 4.3: a list is one part for each element; OpenAPI 3: an object is a part of JSON. */
function multipart(
  value: unknown,
  encoding: Readonly<Record<string, FieldEncoding>>,
  problems: string[],
): WrittenContent {
  const fields: FormPart[] = [];
  const files: FormPart[] = [];
  for (const [name, member] of membersOf(value, problems)) {
    const label = memberLabel('body', name);
    const field = encodingOf(encoding, name);
    if (isUnsafeName(name)) problems.push(`${label} is a name that cannot be written in a form`);
    else if (field.file === true) files.push(...fileParts(name, member, label, problems));
    else fields.push(...fieldParts(name, member, field, label, problems));
  }
  return assembleParts([...fields, ...files]);
}

function fieldParts(
  name: string,
  value: unknown,
  field: FieldEncoding,
  label: string,
  problems: string[],
): readonly FormPart[] {
  if (value === null) return [];
  const isList = Array.isArray(value) && field.json !== true;
  return (isList ? (value as readonly unknown[]) : [value]).map((one): FormPart => {
    const isJson = typeof one === 'object' || field.json === true;
    const contentType = field.contentType ?? (isJson ? 'application/json' : undefined);
    const content = isJson ? JSON.stringify(one) : (scalarText(one) ?? '');
    if (hasLoneSurrogate(content)) problems.push(`${label} must not hold half of a surrogate pair`);
    const type = contentType === undefined ? '' : `\r\ncontent-type: ${contentType}`;
    return { head: `${disposition(name)}${type}`, content: Buffer.from(content) };
  });
}

function membersOf(value: unknown, problems: string[]): readonly [string, unknown][] {
  if (isMembers(value)) return Object.entries(value).filter(([, member]) => member !== undefined);
  problems.push('the body must be an object, for a form');
  return [];
}

function encodingOf(
  encoding: Readonly<Record<string, FieldEncoding>>,
  name: string,
): FieldEncoding {
  return Object.hasOwn(encoding, name) ? (encoding[name] as FieldEncoding) : {};
}
