import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { checkSchemaCompiles } from '../dispatch/argument-check.js';
import { isMembers } from '../dispatch/argument-text.js';
import { isMediaType, isToken } from '../dispatch/header-syntax.js';
import type {
  CredentialUse,
  FieldEncoding,
  Mapping,
  RestOperation,
  RestParameter,
} from './operation.js';
import { REST_OPERATION_SCHEMA } from './operation-schema.js';
import { linearPattern } from './patterns.js';
import type { CompiledPolicy } from './policy.js';
import { formatOf, type BodyFormat } from './write-content.js';
import { labelOf } from './write-parameters.js';
import { placeholdersOf } from './write-request.js';

/** Headers that belong to the connection, to the body or to us (RFC 9110, section 7.6.1, and what smuggles requests). */
const OWN_HEADERS = new Set(
  'accept-encoding connection content-encoding content-length content-type cookie expect host keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade via'.split(
    ' ',
  ),
);
/** Headers that say who calls: only a credential may write them. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'proxy-authorization']);
const STYLES: Readonly<Record<RestParameter['in'], readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

const MAX_PROBLEMS = 10;
const form = new Ajv2020({ strict: false, allErrors: true });
const checkForm = form.compile<RestOperation>(REST_OPERATION_SCHEMA);

/** Whether a value has the form of an operation; says in `problems` where it has not. */
export function isOperation(value: unknown, problems: string[]): value is RestOperation {
  if (checkForm(value)) return true;
  const found = (checkForm.errors ?? []).filter(({ keyword }) => keyword !== 'oneOf');
  problems.push(...new Set(found.map(describe).slice(0, MAX_PROBLEMS)));
  if (problems.length === 0) problems.push('the operation has not the form of a REST operation.');
  return false;
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty?: string };
  const extra = additionalProperty === undefined ? '' : `: ${JSON.stringify(additionalProperty)}`;
  return `${instancePath || 'the operation'} ${message ?? 'does not fit'}${extra}.`;
}

/** What is wrong with an operation that has the form of one, under a policy. */
export function operationProblems(
  operation: RestOperation,
  policy: CompiledPolicy,
): readonly string[] {
  const { parameters = [], credentials = [] } = operation;
  return [
    ...urlProblems(operation, policy),
    ...parameters.flatMap(parameterProblems),
    ...nameProblems(parameters, credentials),
    ...credentials.flatMap(credentialProblems),
    ...bodyProblems(operation),
    ...inputProblems(operation),
  ];
}

function urlProblems({ url, parameters = [] }: RestOperation, policy: CompiledPolicy): string[] {
  // A template has the origin that it has whatever stands in its path.
  const plain = url.replace(/\{[^{}]*\}/g, 'x');
  if (!URL.canParse(plain)) return [`url: ${JSON.stringify(url)} is no URL.`];
  const { origin, pathname } = new URL(plain);
  const problems: string[] = [];
  if (plain !== `${origin}${pathname}`) {
    problems.push(
      `url: ${JSON.stringify(url)} is not an origin and a path as they are sent, such as https://api.example.com/orders/{id}: without user, query and fragment, in percent-encoding.`,
    );
  }
  if (!url.startsWith(`${origin}/`)) {
    problems.push(`url: the origin of ${JSON.stringify(url)} must be followed by a path.`);
  }
  if (!policy.origins.includes(origin)) {
    problems.push(
      `url: ${origin} is not among the origins of the workspace: ${policy.origins.join(', ') || 'none'}.`,
    );
  }
  const placeholders = placeholdersOf(url);
  const names = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name);
  const missing = placeholders.filter((name) => !names.includes(name));
  const unused = names.filter((name) => !placeholders.includes(name));
  problems.push(
    ...missing.map((name) => `url: {${name}} is no path parameter of the operation.`),
    ...unused.map((name) => `parameters: {${name}} does not stand in the path of the url.`),
  );
  return problems;
}

function parameterProblems(parameter: RestParameter): readonly string[] {
  const { name, in: place, style } = parameter;
  const problems: string[] = [];
  if (style !== undefined && !STYLES[place].includes(style)) {
    problems.push(`has the style ${style}. In a ${place} it may be ${STYLES[place].join(', ')}.`);
  }
  if ((place === 'header' || place === 'cookie') && !isToken(name)) {
    problems.push('is not the name of a header or cookie (RFC 9110, section 5.6.2).');
  }
  if (place === 'header' && OWN_HEADERS.has(name.toLowerCase())) {
    problems.push('is a header that only the client itself may write.');
  }
  if (place === 'header' && CREDENTIAL_HEADERS.has(name.toLowerCase())) {
    problems.push('says who calls. Name it in credentials, so that no argument chooses it.');
  }
  return problems.map((problem) => `${labelOf(parameter)} ${problem}`);
}

function nameProblems(
  parameters: readonly RestParameter[],
  credentials: readonly CredentialUse[],
): readonly string[] {
  const seen = new Set<string>();
  return [...parameters, ...credentials].flatMap(({ name, in: place }) => {
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [
      `the ${place} parameter ${JSON.stringify(name)} stands twice in parameters and credentials.`,
    ];
  });
}

function credentialProblems({ in: place, name }: CredentialUse): readonly string[] {
  if (place !== 'header' || !OWN_HEADERS.has(name.toLowerCase())) return [];
  return [`credentials: ${name} is a header that only the client itself may write.`];
}

function bodyProblems({ method, body }: RestOperation): readonly string[] {
  if (body === undefined) return [];
  const { contentType, encoding = {}, content } = body;
  const problems: string[] = [];
  if (method === 'GET' || method === 'HEAD') {
    problems.push(`body: a ${method} has none (RFC 9110, section 9.3.1).`);
  }
  const format = isMediaType(contentType) ? formatOf(contentType) : undefined;
  if (format === undefined) {
    problems.push(
      `body.contentType: ${JSON.stringify(contentType)} cannot be written. It may be application/json, +json, application/x-www-form-urlencoded, multipart/form-data or text/*.`,
    );
  }
  if (isConstant(content) && (format === 'urlencoded' || format === 'multipart')) {
    if (!isMembers(content.value)) problems.push('body.content: a form is made of an object.');
  }
  return [
    ...problems,
    ...Object.entries(encoding).flatMap(([name, field]) =>
      fieldProblems(field, format).map((problem) => `body.encoding.${name}: ${problem}`),
    ),
  ];
}

function fieldProblems(
  { contentType, style, file }: FieldEncoding,
  format: BodyFormat | undefined,
): readonly string[] {
  const problems: string[] = [];
  if (contentType !== undefined && !isMediaType(contentType)) {
    problems.push(`${JSON.stringify(contentType)} is no media type.`);
  }
  if (style !== undefined && (format !== 'urlencoded' || !STYLES.query.includes(style))) {
    problems.push(`the style ${style} is for urlencoded forms, as in a query.`);
  }
  if (file === true && format !== 'multipart') problems.push('a file needs multipart/form-data.');
  return problems;
}

function isConstant(mapping: Mapping): mapping is { readonly value: unknown } {
  return 'value' in mapping;
}

function inputProblems({ input, response }: RestOperation): readonly string[] {
  const problems: string[] = [];
  if (input.type !== 'object') {
    problems.push('input: the type of the schema must be "object", since arguments are one.');
  }
  const wrong = checkSchemaCompiles(input, { patterns: linearPattern });
  if (wrong !== undefined) problems.push(`input: ${wrong}`);
  const output = response?.output;
  const wrongOutput = output && checkSchemaCompiles(output, { patterns: linearPattern });
  if (wrongOutput !== undefined) problems.push(`response.output: ${wrongOutput}`);
  return problems;
}
