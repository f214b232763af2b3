import { parseTemplate } from 'url-template';
import type { SampleMaker } from './sample-value.js';

/**
 * @file What a request must look like by the document's own rules: an oracle that shares no code with what is tested. The
 * styles are written by `url-template`, as the OpenAPI specification maps them to RFC 6570 (3.1.1, appendix C).
 */

type Members = Readonly<Record<string, unknown>>;

/** A parameter of the document, and the value that it has in a call. */
export interface GivenParameter {
  readonly definition: Members;
  readonly value: unknown;
}

/** `name=value` pairs in percent-encoding, as a query or an urlencoded form has them. */
export function queryPairs({ definition, value }: GivenParameter): readonly string[] {
  const name = escape(String(definition['name']));
  if (definition['content'] !== undefined) return [`${name}=${escape(JSON.stringify(value))}`];
  const style = (definition['style'] ?? 'form') as string;
  const explode = definition['explode'] ?? style === 'form';
  if (style === 'deepObject' && isObject(value))
    return deepPairs(String(definition['name']), value);
  if (typeof value === 'object' && value !== null && explode === false && style !== 'form') {
    const delimiter = style === 'spaceDelimited' ? '%20' : '%7C';
    const parts = isObject(value)
      ? Object.entries(value).flat()
      : [...(value as readonly unknown[])];
    return [`${name}=${parts.map((one) => escape(String(one))).join(delimiter)}`];
  }
  const reserved = definition['allowReserved'] === true;
  if (reserved && !isObject(value) && !Array.isArray(value)) {
    // RFC 6570's {+v} would leave "&", "=", "+", "#", "[" and "]", too, which a query cannot carry in a value.
    return [
      `${name}=${escape(String(value)).replace(/%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent)}`,
    ];
  }
  const text = expand(explode === true ? '{?v*}' : '{?v}', value).slice(1);
  if (text === '') return [];
  const pairs = text.split('&');
  return isObject(value) && explode === true
    ? pairs
    : pairs.map((pair) => pair.replace(/^v=/, `${name}=`));
}

function deepPairs(name: string, value: object): readonly string[] {
  return Object.entries(value).flatMap(([key, member]) =>
    isObject(member)
      ? deepPairs(`${name}[${key}]`, member)
      : [`${escape(`${name}[${key}]`)}=${escape(String(member))}`],
  );
}

/** The piece of the path that a parameter makes. */
export function pathPiece({ definition, value }: GivenParameter): string {
  if (definition['content'] !== undefined) return escape(JSON.stringify(value));
  const operator = { label: '.', matrix: ';' }[String(definition['style'])] ?? '';
  const text = expand(`{${operator}v${definition['explode'] === true ? '*' : ''}}`, value);
  const named = operator === ';' && !(isObject(value) && definition['explode'] === true);
  return named ? text.replaceAll(/;v(?==|;|$)/g, `;${escape(String(definition['name']))}`) : text;
}

/** A header is not percent-encoded. */
export function headerText({ definition, value }: GivenParameter): string {
  if (definition['content'] !== undefined) return JSON.stringify(value);
  return decodeURIComponent(expand(definition['explode'] === true ? '{v*}' : '{v}', value));
}

/** The pairs of an urlencoded form, by the encoding of each member (3.1.1, section "Encoding Object"). */
export function formPairs(form: Members, media: Members, samples: SampleMaker): readonly string[] {
  return Object.entries(form).flatMap(([name, value]) => {
    const encoding = samples.follow((media['encoding'] as Members | undefined)?.[name]);
    const hasStyle = ['style', 'explode', 'allowReserved'].some((key) => key in encoding);
    const isJson = !hasStyle && isObject(value);
    return queryPairs({ definition: { ...encoding, name, ...(isJson && { content: {} }) }, value });
  });
}

function expand(template: string, value: unknown): string {
  return parseTemplate(template).expand({ v: scalars(value) } as Parameters<
    ReturnType<typeof parseTemplate>['expand']
  >[0]);
}

/** url-template knows strings; the text of true is "true". */
function scalars(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scalars);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, scalars(v)]));
  return String(value);
}

function escape(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
