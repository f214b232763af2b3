import { expect } from '@jest/globals';
import type { RestOperation } from '../../../src/upstream/operation.js';
import type { SeenRequest } from '../upstream/upstream.fixture.js';
import {
  formPairs,
  headerText,
  pathPiece,
  queryPairs,
  type GivenParameter,
} from './expected-request.js';
import { SampleMaker } from './sample-value.js';

type Members = Readonly<Record<string, unknown>>;

/** An operation as the document has it, read without the import. */
export interface DocumentOperation {
  readonly source: string;
  readonly method: string;
  readonly path: string;
  readonly root: Members;
  readonly operation: Members;
  readonly parameters: readonly Members[];
  readonly content: Members;
  readonly bodyRequired: boolean;
  /** It has no body, or one that may be JSON or a form. */
  readonly isJsonOrForm: boolean;
}

const JSON_OR_FORM =
  /^(?:application\/(?:[\w.+-]+\+)?json\b|application\/x-www-form-urlencoded|multipart\/form-data|\*\/\*)/i;

/** @param source such as `GET /orders/{id}` */
export function operationAt(root: Members, source: string): DocumentOperation {
  const [method = '', path = ''] = source.split(/ (.*)/s);
  const { follow } = bound(root);
  const item = follow((root['paths'] as Members)[path]);
  const operation = item[method.toLowerCase()] as Members;
  const parameters = new Map<string, Members>();
  for (const list of [item['parameters'], operation['parameters']]) {
    for (const one of (list ?? []) as unknown[]) {
      const definition = follow(one);
      parameters.set(`${String(definition['in'])}/${String(definition['name'])}`, definition);
    }
  }
  const body = follow(operation['requestBody']);
  const content = (body['content'] ?? {}) as Members;
  const types = Object.keys(content);
  return {
    source,
    method,
    path,
    root,
    operation,
    parameters: [...parameters.values()],
    content,
    bodyRequired: body['required'] === true,
    isJsonOrForm: types.length === 0 || types.some((type) => JSON_OR_FORM.test(type)),
  };
}

function bound(root: Members): { follow: (value: unknown) => Members } {
  const samples = new SampleMaker(root, 0);
  return { follow: (value) => samples.follow(value) };
}

/** Arguments of the tool, each value made by the document's schema; what the tool does not take is left out. */
export function sampleArguments(
  { root, parameters, content, operation }: DocumentOperation,
  rest: RestOperation,
  turn: number,
): Members {
  const samples = new SampleMaker(root, turn);
  const groups = rest.input.properties as Record<string, { properties?: Members }>;
  const args: Record<string, Record<string, unknown>> = {};
  for (const definition of parameters) {
    const [place, name] = [String(definition['in']), String(definition['name'])];
    const taken = groups[place]?.properties;
    if (taken === undefined || !Object.hasOwn(taken, name)) continue;
    const media = Object.values((definition['content'] ?? {}) as Members)[0] as Members | undefined;
    const value = samples.make(media?.['schema'] ?? definition['schema']);
    (args[place] ??= {})[name] = writable(value, place, definition);
  }
  const place = groups['body'] ? 'body' : groups['form'] ? 'form' : undefined;
  if (place !== undefined && operation['requestBody'] !== undefined) {
    const media = Object.entries(content).find(([type]) =>
      typeMatches(type, rest.body?.contentType ?? ''),
    );
    const value = samples.make((media?.[1] as Members)['schema']);
    args[place] = (
      place === 'form' ? formOf(value as Members, groups['form'] ?? {}, rest) : value
    ) as Record<string, unknown>;
  }
  return args;
}

/** What stands in a header is ASCII, and nothing holds the separator of its list where that cannot be encoded. */
function writable(value: unknown, place: string, { style }: Members): unknown {
  if (place === 'header') return asciiOnly(value);
  if (place === 'cookie') return cookieText(value);
  const separator = { spaceDelimited: ' ', pipeDelimited: '|' }[String(style)];
  if (separator === undefined || typeof value !== 'object') return value;
  const text = JSON.stringify(value).replaceAll(separator, '_');
  return JSON.parse(text) as unknown;
}

function asciiOnly(value: unknown, inside = false): unknown {
  if (Array.isArray(value)) return value.map((one) => asciiOnly(one, true));
  if (typeof value === 'string')
    return value.replace(inside ? /[^\x21-\x7e]|[,=]/g : /[^\x21-\x7e]/g, '_');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, asciiOnly(member, true)]),
  );
}

function cookieText(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[^\x21-\x7e]|[",;\\]/g, '_') : value;
}

function formOf(value: Members, group: { properties?: Members }, rest: RestOperation): Members {
  const taken = Object.entries(value).filter(([name]) =>
    Object.hasOwn(group.properties ?? {}, name),
  );
  return Object.fromEntries(
    taken.map(([name, member]) => {
      if (rest.body?.encoding?.[name]?.file !== true) return [name, member];
      const file = (text: string) => ({
        filename: 'a.bin',
        contentType: 'application/x-a',
        data: btoa(text),
      });
      return [name, Array.isArray(member) ? [file('1'), file('2')] : file('1')];
    }),
  );
}

function typeMatches(documented: string, sent: string): boolean {
  return (
    documented === sent ||
    (/^(?:\*|application)\/\*$/.test(documented) && sent === 'application/json')
  );
}

/** Compares what came over the wire with what the document says. */
export async function expectSameRequest(
  seen: SeenRequest,
  documented: DocumentOperation,
  args: Members,
  credentialRefs: readonly string[],
): Promise<void> {
  const { source, method, path, parameters, root, bodyRequired } = documented;
  const given = (place: string): GivenParameter[] =>
    parameters
      .filter((definition) => definition['in'] === place)
      .map((definition) => {
        const group = (args[place] ?? {}) as Members;
        const name = String(definition['name']);
        return { definition, value: Object.hasOwn(group, name) ? group[name] : undefined };
      })
      .filter(({ value }) => value !== undefined);
  const security = securityOf(documented, credentialRefs);
  const [target = '', query = ''] = seen.target.split(/\?(.*)/s);
  const [documentPath = '', constants = ''] = path.replace(/#.*/s, '').split(/\?(.*)/s);
  const pieces = new Map(
    given('path').map((one) => [String(one.definition['name']), pathPiece(one)]),
  );
  const written = documentPath.replace(
    /\{([^{}]+)\}/g,
    (_, name: string) => pieces.get(name) ?? '?',
  );
  expect({ source, method: seen.method, target }).toEqual({
    source,
    method,
    target: `/base/v1${written}`,
  });
  const pairs = [
    ...(constants === '' ? [] : constants.split('&')),
    ...given('query').flatMap(queryPairs),
    ...security.query,
  ];
  expect({ source, query: query === '' ? [] : query.split('&') }).toEqual({ source, query: pairs });
  const headers = Object.fromEntries(
    given('header')
      .filter(
        ({ definition }) =>
          !/^(?:accept|content-type|authorization)$/i.test(String(definition['name'])),
      )
      .map((one) => [String(one.definition['name']).toLowerCase(), headerText(one)]),
  );
  expect({ source, ...seen.headers }).toMatchObject({ source, ...headers, ...security.headers });
  const cookies = [
    ...given('cookie').map(
      ({ definition, value }) => `${String(definition['name'])}=${String(value)}`,
    ),
    ...security.cookies,
  ];
  expect({ source, cookie: seen.headers.cookie }).toEqual({
    source,
    cookie: cookies.length > 0 ? cookies.join('; ') : undefined,
  });
  for (const definition of parameters) {
    // Of what must be there, nothing was left out.
    const isOwn =
      /^(?:accept|content-type|authorization)$/i.test(String(definition['name'])) ||
      security.names.has(String(definition['name']).toLowerCase());
    const there = given(String(definition['in'])).some((one) => one.definition === definition);
    if (definition['required'] === true && !isOwn)
      expect({ source, definition, there }).toMatchObject({ there: true });
  }
  if (bodyRequired) expect({ source, body: seen.body.length }).not.toEqual({ source, body: 0 });
  await expectSameBody(seen, documented, args, new SampleMaker(root, 0));
}

async function expectSameBody(
  seen: SeenRequest,
  { source, content }: DocumentOperation,
  args: Members,
  samples: SampleMaker,
): Promise<void> {
  const value = args['body'] ?? args['form'];
  if (value === undefined)
    return expect({ source, body: seen.body.toString() }).toEqual({ source, body: '' });
  const type = seen.headers['content-type'] ?? '';
  const media = Object.entries(content).find(([documentedType]) =>
    typeMatches(documentedType, type.replace(/; ?boundary.*/, '')),
  );
  expect({ source, type, known: media !== undefined }).toMatchObject({ known: true });
  if (/json/.test(type)) {
    expect({ source, body: JSON.parse(seen.body.toString()) as unknown }).toEqual({
      source,
      body: value,
    });
  } else if (/urlencoded/.test(type)) {
    const pairs = formPairs(value as Members, media?.[1] as Members, samples);
    expect({ source, body: seen.body.toString().split('&').filter(Boolean) }).toEqual({
      source,
      body: pairs,
    });
  } else if (/multipart/.test(type)) {
    const form = await new Response(new Uint8Array(seen.body), {
      headers: { 'content-type': type },
    }).formData();
    expect({ source, form: await partsOf(form) }).toEqual({
      source,
      form: expectedParts(value as Members).sort(),
    });
  } else {
    expect({ source, body: seen.body.toString() }).toEqual({ source, body: value });
  }
}

async function partsOf(form: FormData): Promise<string[]> {
  const parts = [...form.entries()].map(async ([name, part]) =>
    typeof part === 'string'
      ? `${name}=${part}`
      : `${name}=${part.name}:${part.type}:${await part.text()}`,
  );
  return (await Promise.all(parts)).sort();
}

function expectedParts(form: Members): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one) => {
      if (typeof one !== 'object' || one === null) return `${name}=${String(one)}`;
      const { filename, contentType, data } = one as Record<string, string>;
      return data === undefined
        ? `${name}=${JSON.stringify(one)}`
        : `${name}=${filename}:${contentType}:${atob(data)}`;
    }),
  );
}

interface Expected {
  readonly query: readonly string[];
  readonly headers: Members;
  readonly cookies: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** Where the document says that each secret stands. */
function securityOf({ root, operation }: DocumentOperation, refs: readonly string[]): Expected {
  const alternatives = (operation['security'] ?? root['security'] ?? []) as Members[];
  // The credentials are those of one of the alternatives, whole.
  const sorted = (names: readonly string[]) => [...names].sort().join();
  expect(
    alternatives.length === 0 ||
      alternatives.some((one) => sorted(Object.keys(one)) === sorted(refs)),
  ).toBe(true);
  const schemes = ((root['components'] as Members)?.['securitySchemes'] ?? {}) as Record<
    string,
    Members
  >;
  const query: string[] = [];
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  const names = new Set<string>();
  for (const ref of refs) {
    const secret = `secret-of-${ref.replace(/\W/g, '')}`;
    const { type, in: place, name, scheme } = schemes[ref] as Record<string, string>;
    names.add((name ?? 'authorization').toLowerCase());
    if (type !== 'apiKey')
      headers['authorization'] = scheme === 'basic' ? `Basic ${btoa(secret)}` : `Bearer ${secret}`;
    else if (place === 'query') query.push(`${name}=${secret}`);
    else if (place === 'cookie') cookies.push(`${name}=${secret}`);
    else headers[(name ?? '').toLowerCase()] = secret;
  }
  return { query, headers, cookies, names };
}
