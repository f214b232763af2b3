import { randomUUID } from 'node:crypto';
import {
  elementLabel,
  hasLoneSurrogate,
  isMembers,
  memberLabel,
  scalarText,
} from './argument-text.js';
import { isMediaType } from './header-syntax.js';
import { isWritable, isWritableName, RequestTooLarge } from './write-query.js';
import type { WrittenBody } from './write-body.js';

/** How a file stands among the arguments. */
interface FileArgument {
  readonly filename: string;
  readonly contentType: string;
  readonly data: Buffer;
}

/** One part of a form: its header lines and its bytes. */
export interface FormPart {
  readonly head: string;
  readonly content: Buffer;
}

export interface MultipartOptions {
  readonly base: string;
  /** The members that the route names. */
  readonly known: ReadonlySet<string>;
  /** Those of them that are files, or lists of them. */
  readonly files: ReadonlySet<string>;
  readonly maxBytes: number;
}

const DEFAULT_TYPE = 'application/octet-stream';
/** RFC 4648, section 4, without line breaks. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** In a quoted string readers disagree about a backslash, and take a form with control characters for broken. */
const UNSAFE_NAME = /\\|(?![\r\n])\p{Cc}/u;
/** A member inside another one whose name is a number is read as an element of a list. */
const INDEX = /^\d+$/;
const PATH = /[/\\]|^\.{0,2}$/;

/**
 * Compiles a writer of `multipart/form-data` (RFC 7578) with names escaped as browsers do (HTML, "multipart form data":
 * `"` as %22, CR as %0D, LF as %0A). Lists and objects are written as the upload interceptors of both adapters read them
 * (append-field): `a=1`, `a=2`; `a[]=1` for a list of one; `a[0][b]=1` and `a[b]=1` for objects. The fields come before the
 * files, which a reader of streams needs.
 */
export function compileMultipartWriter(
  options: MultipartOptions,
): (values: Readonly<Record<string, unknown>>, problems: string[]) => WrittenBody {
  return (values, problems) => {
    const fields: FormPart[] = [];
    const files: FormPart[] = [];
    const room = { bytes: options.maxBytes };
    const addTo = (parts: FormPart[]) => (part: FormPart) => {
      room.bytes -= part.head.length + part.content.length;
      if (room.bytes < 0) throw new RequestTooLarge();
      parts.push(part);
    };
    for (const name of Object.keys(values)) {
      const value = values[name];
      if (value === undefined) continue;
      const label = memberLabel(options.base, name);
      if (!isPartName(name, label, options.known, problems)) continue;
      if (options.files.has(name)) fileParts(name, value, label, problems).forEach(addTo(files));
      else if (areFields(value, label, problems)) addFields(name, value, addTo(fields));
    }
    return assembleParts([...fields, ...files]);
  };
}

/** Makes a form of its parts. The boundary is random, so that no value can hold it. */
export function assembleParts(parts: readonly FormPart[]): WrittenBody {
  const boundary = `----nestjs-mcp-routes-${randomUUID()}`;
  const chunks = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(chunks) };
}

type AddPart = (part: FormPart) => void;

function addFields(name: string, value: unknown, add: AddPart): void {
  if (Array.isArray(value)) {
    const isFlat = value.every((element) => typeof element !== 'object');
    const repeated = value.length === 1 ? `${name}[]` : name;
    value.forEach((element, i) => addFields(isFlat ? repeated : `${name}[${i}]`, element, add));
  } else if (isMembers(value)) {
    for (const key of Object.keys(value)) {
      if (value[key] !== undefined) addFields(`${name}[${key}]`, value[key], add);
    }
  } else {
    add({ head: disposition(name), content: Buffer.from(scalarText(value) as string) });
  }
}

/** The parts of a file among the arguments, `{ filename, contentType, data }` with `data` in base64, or of a list of them. */
export function fileParts(
  name: string,
  value: unknown,
  label: string,
  problems: string[],
): readonly FormPart[] {
  if (Array.isArray(value)) {
    return value.flatMap((one, i) => fileParts(name, one, elementLabel(label, i), problems));
  }
  const file = readFile(value, label, problems);
  if (file === undefined) return [];
  const head = `${disposition(name)}; filename="${escapeName(file.filename)}"\r\ncontent-type: ${file.contentType}`;
  return [{ head, content: file.data }];
}

function readFile(value: unknown, label: string, problems: string[]): FileArgument | undefined {
  if (!isMembers(value)) {
    problems.push(`${label} must be a file: { filename, contentType, data }, data in base64`);
    return undefined;
  }
  const { filename, contentType = DEFAULT_TYPE, data } = value;
  const found = problems.length;
  if (typeof filename !== 'string' || !isFileName(filename)) {
    problems.push(`${label}.filename must be a file's name without a path`);
  }
  if (typeof contentType !== 'string' || !isMediaType(contentType)) {
    problems.push(`${label}.contentType must be a media type, such as image/png`);
  }
  if (typeof data !== 'string' || data.length % 4 !== 0 || !BASE64.test(data)) {
    problems.push(`${label}.data must be standard base64 with its padding (RFC 4648, section 4)`);
  }
  if (problems.length > found) return undefined;
  return {
    filename: filename as string,
    contentType: contentType as string,
    data: Buffer.from(data as string, 'base64'),
  };
}

function isFileName(filename: string): boolean {
  return !PATH.test(filename) && !UNSAFE_NAME.test(filename) && !hasLoneSurrogate(filename);
}

function isPartName(
  name: string,
  label: string,
  known: ReadonlySet<string>,
  problems: string[],
): boolean {
  if (!isWritableName(name, label, { known }, problems)) return false;
  if (!isUnsafeName(name)) return true;
  problems.push(`${label} is a name that cannot be written in a form`);
  return false;
}

/** Whether readers of a form would disagree about the name. */
export function isUnsafeName(name: string): boolean {
  return UNSAFE_NAME.test(name);
}

function areFields(value: unknown, label: string, problems: string[]): boolean {
  if (!isWritable(value, label, problems)) return false;
  if (!holdsUnsafeName(value)) return true;
  problems.push(`${label} has a member whose name cannot be written in a form`);
  return false;
}

function holdsUnsafeName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsUnsafeName);
  if (!isMembers(value)) return false;
  return Object.keys(value).some(
    (key) => UNSAFE_NAME.test(key) || INDEX.test(key) || holdsUnsafeName(value[key]),
  );
}

export function disposition(name: string): string {
  return `content-disposition: form-data; name="${escapeName(name)}"`;
}

function escapeName(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}
