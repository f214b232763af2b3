import type { ErrorObject } from 'ajv';
import { cut, elementLabel, memberLabel } from './argument-text.js';
import { choosePerUnion } from './union-misfits.js';

const MAX_LISTED = 20;
const NOUNS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/**
 * Turns the errors of a validation into sentences that a model can act on, one for each place:
 * `body.items[0].quantity must be an integer`.
 */
export function describeMisfits(
  errors: readonly ErrorObject[],
  args: unknown,
  limit: number,
): string[] {
  const byPlace = new Map<string, { rank: number; sentence: string }>();
  for (const error of choosePerUnion(errors)) {
    const { place, text } = describe(error, args);
    const rank = rankOf(error.keyword);
    const known = byPlace.get(place);
    if (known === undefined || known.rank < rank) {
      byPlace.set(place, { rank, sentence: `${place} ${text}` });
    }
  }
  return [...byPlace.values()].slice(0, limit).map(({ sentence }) => sentence);
}

/** Of two misfits of one place, the one that says more of what would fit. */
function rankOf(keyword: string): number {
  if (keyword === 'enum' || keyword === 'const') return 2;
  return keyword === 'if' || keyword === 'anyOf' || keyword === 'oneOf' ? 0 : 1;
}

interface Misfit {
  readonly place: string;
  /** What must be, beginning with a verb. */
  readonly text: string;
}

function describe(error: ErrorObject, args: unknown): Misfit {
  const at = labelOf(error.instancePath, args);
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'required':
      return { place: memberLabel(at, params['missingProperty'] as string), text: 'is required' };
    case 'dependencies':
    case 'dependentRequired':
      return {
        place: memberLabel(at, params['missingProperty'] as string),
        text: `is required beside ${memberLabel(at, params['property'] as string)}`,
      };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = (params['additionalProperty'] ?? params['unevaluatedProperty']) as string;
      return { place: memberLabel(at, name), text: unknownMember(error, at) };
    }
    case 'propertyNames':
      return {
        place: memberLabel(at, params['propertyName'] as string),
        text: 'has a name that is not allowed here',
      };
    default:
      return { place: at || 'the arguments', text: requirement(error.keyword, params, error) };
  }
}

function unknownMember({ parentSchema }: ErrorObject, at: string): string {
  const { properties } = (parentSchema ?? {}) as { properties?: object };
  const known = Object.keys(properties ?? {});
  const of = at === '' ? 'the arguments' : 'this object';
  return `is not a member of ${of}; known members: ${list(known, 'none')}`;
}

function requirement(
  keyword: string,
  params: Readonly<Record<string, unknown>>,
  error: ErrorObject,
): string {
  const limit = String(params['limit']);
  const count = (noun: string) => `${limit} ${noun}${limit === '1' ? '' : 's'}`;
  switch (keyword) {
    case 'type':
      return `must be ${alternatives(params['type'])}`;
    case 'enum':
      return `must be one of ${listValues(params['allowedValues'] as unknown[])}`;
    case 'const':
      return `must be ${showValue(params['allowedValue'])}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`;
    case 'minLength':
      return `must have at least ${count('character')}`;
    case 'maxLength':
      return `must have at most ${count('character')}`;
    case 'minItems':
      return `must have at least ${count('element')}`;
    case 'maxItems':
    case 'items':
    case 'additionalItems':
      return `must have at most ${count('element')}`;
    case 'minProperties':
      return `must have at least ${count('member')}`;
    case 'maxProperties':
      return `must have at most ${count('member')}`;
    default:
      return rareRequirement(keyword, error);
  }
}

function rareRequirement(keyword: string, error: ErrorObject): string {
  switch (keyword) {
    case 'anyOf':
      return 'fits none of the forms that it may have';
    case 'oneOf':
      return 'must fit exactly one of the forms that it may have';
    case 'contains':
      return 'lacks an element that it must have';
    case 'not':
      return 'has a value that is not allowed';
    case 'false schema':
      return 'must be left out';
    default:
      return error.message ?? 'does not fit';
  }
}

/** `/body/items/0` → `body.items[0]` (RFC 6901), told by the arguments whether a step is an index. */
function labelOf(pointer: string, args: unknown): string {
  let label = '';
  let value = args;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    label = Array.isArray(value) ? elementLabel(label, Number(name)) : memberLabel(label, name);
    value = (value as Record<string, unknown> | undefined)?.[name];
  }
  return label;
}

function alternatives(types: unknown): string {
  const names = (Array.isArray(types) ? types : String(types).split(',')) as string[];
  const nouns = names.map((name) => NOUNS[name] ?? name);
  const last = nouns.pop() ?? 'something else';
  return nouns.length === 0 ? last : `${nouns.join(', ')} or ${last}`;
}

function listValues(values: readonly unknown[]): string {
  return list(values.map(showValue), 'nothing');
}

function showValue(value: unknown): string {
  const shown = JSON.stringify(value);
  return typeof value === 'string' ? JSON.stringify(cut(value)) : cut(shown);
}

function list(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, MAX_LISTED).join(', ');
  return items.length > MAX_LISTED ? `${shown}, … (${items.length} in all)` : shown;
}
