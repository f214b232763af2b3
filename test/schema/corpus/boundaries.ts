import type { ValidatorMetadata } from '../../../src/schema/optional-peers.js';

/** What stands in a sample where a member is left out. */
export const MISSING = Symbol('missing');

type Values = (constraints: readonly unknown[]) => readonly unknown[];

const letters = (count: number): string =>
  'abcdefghijklmnopqrstuvwxyz'.slice(0, Math.max(0, count));
const list = (count: number): unknown[] => Array.from({ length: count }, (_, index) => index + 1);
const around = (edge: unknown): number[] => [Number(edge) - 1, Number(edge), Number(edge) + 1];
const values = (entity: unknown): unknown[] => Object.values(entity as object);

/** On both sides of what each decorator takes: a value right at the edge, and one just beyond. */
// prettier-ignore
const EDGES: Readonly<Record<string, Values>> = {
  isString: () => ['a', '', 1, true, ['a']],
  minLength: ([min]) => [letters(Number(min) - 1), letters(Number(min))],
  maxLength: ([max]) => [letters(Number(max)), letters(Number(max) + 1)],
  isLength: ([min, max]) => [letters(Number(min) - 1), letters(Number(min)), letters(Number(max)), letters(Number(max) + 1)],
  isByteLength: ([min, max]) => [letters(Number(min) - 1), letters(Number(max)), letters(Number(max) + 1), 'éé'],
  matches: () => ['a-1', 'a-', 'ABC', 'abcd'],
  contains: () => ['a.b', 'xa.by', 'axb'],
  notContains: () => ['abc', 'axb'],
  isEmail: () => ['ada@example.com', 'ada'],
  isUrl: () => ['example.com', 'https://example.com/a?b=c'],
  isUuid: () => ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  isDateString: () => ['2026-01-31', '2026-01-31T10:00:00Z', 12],
  isMongoId: () => ['507f1f77bcf86cd799439011', '507f1f77bcf86cd79943901', '507f1f77bcf86cd79943901z'],
  isHexColor: () => ['#fff', '#ffff', '#fffff'],
  isPort: () => ['0', '80', '65535', '080', '-'],
  isSemVer: () => ['1.2.3', '1.2', '1.2.3-rc.1+b'],
  isMilitaryTime: () => ['00:00', '23:59', '24:00'],
  isNumberString: () => ['12', '-1.5', '1e3', 12],
  isBooleanString: () => ['true', '0', 'yes', true],
  isAlpha: () => ['abc', 'ab1'],
  isAlphanumeric: () => ['ab1', 'ab_'],
  isJson: () => ['{}', 1],
  isLatitude: () => [-90, 90, '45', 90.5],
  isISO31661Alpha2: () => ['DE', 1],
  isISO4217CurrencyCode: () => ['EUR', 1],
  isISO6391: () => ['de', 1],
  isIp: () => ['127.0.0.1', 1],
  isFqdn: () => ['example.com', 1],
  isBase64: () => ['YWI=', 1],
  isJwt: () => ['YQ.YQ.YQ', 1],
  isHash: () => ['d41d8cd98f00b204e9800998ecf8427e', 1],
  isUppercase: () => ['A', 1],
  isLowercase: () => ['a', 1],
  isAscii: () => ['a~', 'ä'],
  isHexadecimal: () => ['ff', '0xff', 'fg'],
  isTimeZone: () => ['Europe/Berlin', 1],
  isRFC3339: () => ['2026-01-31T00:00:00Z', '2026-01-31 00:00:00+01:00', 1],
  isStrongPassword: () => ['Abcdef1!', 1],
  isNumber: ([options]) => {
    const { maxDecimalPlaces } = (options ?? {}) as { maxDecimalPlaces?: number };
    return [0, -1.5, 1e21, '1', true, ...(maxDecimalPlaces === 0 ? [1] : [0.07])];
  },
  isInt: () => [0, 1, 1.5, 2 ** 53, '1', true],
  min: ([min]) => around(min),
  max: ([max]) => around(max),
  isPositive: () => [0, 0.1, -0.1],
  isNegative: () => [0, -0.1, 0.1],
  isDivisibleBy: ([divisor]) => [0, Number(divisor), -Number(divisor), Number(divisor) + 1],
  isBoolean: () => [true, false, 'true', 0],
  isDate: () => ['2026-01-31', '2026-01-31T10:00:00.000Z', {}],
  isEnum: ([entity]) => [...values(entity), 'other', 99],
  isIn: ([options]) => [...(options as unknown[]), 'other'],
  isNotIn: ([options]) => [...(options as unknown[]), 'other'],
  equals: ([value]) => [value, String(value), 'other'],
  notEquals: ([value]) => [value, 'other'],
  isEmpty: () => ['', ' ', 0, []],
  isNotEmpty: () => ['', ' ', 0, [], 'a'],
  isArray: () => [[], [1], 'a', {}],
  arrayMinSize: ([min]) => [list(Number(min) - 1), list(Number(min))],
  arrayMaxSize: ([max]) => [list(Number(max)), list(Number(max) + 1)],
  arrayNotEmpty: () => [[], [1], ['a', 'b']],
  arrayUnique: () => [[1, 2], [1, 1], ['a', 'a']],
  arrayContains: ([wanted]) => [wanted, [...(wanted as unknown[]), 'z'], ['z'], []],
  arrayNotContains: ([unwanted]) => [unwanted, ['z'], []],
  isObject: () => [{}, { a: 1 }, [], 'a'],
  isNotEmptyObject: () => [{}, { a: 1 }, [], 'a'],
  isDefined: () => [0, '', null],
};

/** The values to try in a member, from what its decorators say. */
export function edgesOf(
  validators: readonly ValidatorMetadata[],
  valid: unknown,
): readonly unknown[] {
  const tried = validators.flatMap((metadata) => {
    if (metadata.type === 'nestedValidation') return nestedEdges(valid);
    if (metadata.type === 'conditionalValidation') return [null, MISSING, 'a', 1];
    const edges = EDGES[metadata.name ?? metadata.type]?.(metadata.constraints ?? []) ?? [];
    if (metadata.each !== true) return edges;
    return [...edges.map((edge) => [edge]), ...edges.slice(0, 2), edges.slice(0, 2), []];
  });
  const all = [...tried, MISSING, null];
  const different = new Map(all.map((value) => [keyOf(value), value]));
  return [...different.values()];
}

function nestedEdges(valid: unknown): readonly unknown[] {
  const one = Array.isArray(valid) ? (valid as unknown[])[0] : valid;
  const members = typeof one === 'object' && one !== null ? one : {};
  const fewer = Object.keys(members).map((name) => {
    const { [name]: _left, ...rest } = members as Record<string, unknown>;
    return rest;
  });
  const each = [...fewer, { ...members, extra: 1 }];
  return [...each, ...each.map((value) => [value]), [one], [[one]], [], 'a'];
}

function keyOf(value: unknown): string {
  return value === MISSING ? 'missing' : JSON.stringify(value);
}
