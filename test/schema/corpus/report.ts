import type { Verdict } from './corpus.js';

interface Reason {
  readonly why: string;
  readonly holds: (verdict: Verdict) => boolean;
}

const has =
  (...names: readonly string[]) =>
  ({ decorators }: Verdict): boolean =>
    names.some((name) => decorators.includes(name));
const inSet =
  (...names: readonly string[]) =>
  ({ set }: Verdict): boolean =>
    names.some((name) => set === name || set.startsWith(`${name},`));
const isText = ({ member }: Verdict): boolean => /^(path|query|header|form)\./.test(member);
const valueOf = ({ member, args }: Verdict): unknown =>
  member.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], args);

/** Why the check lets through what the route refuses. The first that holds counts. */
export const LOOSE: readonly Reason[] = [
  {
    why: 'a member with @Transform() is checked after it: anything may become of the value',
    holds: inSet('transformed', 'query_split'),
  },
  { why: 'a custom validator is code, of which nothing can be said', holds: inSet('custom') },
  {
    why: '@ValidateNested() goes into lists of any depth, and is checked as loosely as one object in one of them',
    holds: has('nestedValidation'),
  },
  {
    why: 'a format is an annotation (JSON Schema Validation 2020-12, section 7.2.1)',
    holds: has('isEmail'),
  },
  {
    why: 'a regular expression with flags, or one that counts code units, has no pattern that means the same',
    holds: has('matches'),
  },
  { why: 'bytes cannot be counted, characters can', holds: has('isByteLength') },
  {
    why: 'not null and not missing: no type is known that would leave out null',
    holds: has('isDefined', 'isNotEmpty'),
  },
  { why: '@ArrayUnique() compares by identity, uniqueItems by content', holds: has('arrayUnique') },
  {
    why: 'a value that is converted is checked by what it becomes, of which the text before does not tell',
    holds: inSet('converted', 'implicit'),
  },
  { why: 'text on the way: what the text becomes is not known before', holds: isText },
  { why: 'a pipe reads text too, and which is its own business', holds: inSet('body_pipes') },
];

/** Why a model is not shown what the route takes. */
export const ALTERNATIVES: readonly Reason[] = [
  {
    why: 'null for a member that may be left out: leaving it out says the same',
    holds: (one) => valueOf(one) === null,
  },
  {
    why: 'a member with @Transform() takes anything, and is shown as @ApiProperty() declares it',
    holds: inSet('transformed', 'query_split'),
  },
  { why: 'text on the way: 5 is as good as "5"', holds: isText },
  {
    why: "the name of a numeric enum's member, which no handler expects",
    holds: (one) => has('isEnum')(one) && ['Low', 'High'].includes(String(valueOf(one))),
  },
  {
    why: 'nothing is checked while the condition of @ValidateIf() does not hold',
    holds: has('conditionalValidation'),
  },
  {
    why: 'one object where a list is meant, or lists of lists: @ValidateNested() goes into all of them',
    holds: (one) => has('nestedValidation')(one) || one.set === 'body_change',
  },
  {
    why: 'what @Type() or implicit conversion makes the right type of',
    holds: inSet('converted', 'implicit'),
  },
  {
    why: 'one value where a list is meant: a validator with each takes both',
    holds: inSet('lists', 'choices'),
  },
  { why: 'a number as text', holds: has('isLatitude') },
  { why: 'the pipe reads text, too', holds: inSet('body_pipes', 'body_items') },
  {
    why: 'only declared for swagger: nothing checks it',
    holds: inSet('body_declared', 'body_media', 'query_plain'),
  },
];

export function reasonFor(reasons: readonly Reason[], verdict: Verdict): string | undefined {
  return reasons.find(({ holds }) => holds(verdict))?.why;
}

/** The verdicts by kind. */
export function sorted(verdicts: readonly Verdict[]) {
  return {
    /** The one thing that must not be: arguments that the route takes and the check refuses. */
    wronglyRefused: verdicts.filter(({ isTaken, fitsCheck }) => isTaken && !fitsCheck),
    loose: verdicts.filter(({ isTaken, fitsCheck }) => !isTaken && fitsCheck),
    alternatives: verdicts.filter(
      ({ isTaken, fitsCheck, fitsShown }) => isTaken && fitsCheck && !fitsShown,
    ),
    shownOnly: verdicts.filter(({ fitsCheck, fitsShown }) => fitsShown && !fitsCheck),
  };
}

/** What `npm run corpus` prints. */
export function report(verdicts: readonly Verdict[]): string {
  const { wronglyRefused, loose, alternatives } = sorted(verdicts);
  const taken = verdicts.filter(({ isTaken }) => isTaken).length;
  return [
    ...wronglyRefused.map((one) => `wrongly refused: ${one.set} ${JSON.stringify(one.args)}`),
    ...section('Refused by the route, let through by the check, by decorator:', loose, LOOSE),
    ...section(
      'Taken by the route and the check, not shown to a model (other spellings):',
      alternatives,
      ALTERNATIVES,
    ),
    `${new Set(verdicts.map(({ tool }) => tool)).size} classes and parameter sets; the routes took ${taken} samples and refused ${verdicts.length - taken}; ${alternatives.length} other spellings`,
    `loose: ${((100 * loose.length) / verdicts.length).toFixed(1)} %`,
    `corpus: ${verdicts.length} samples, ${wronglyRefused.length} wrongly refused, ${loose.length} loose`,
  ].join('\n');
}

function section(
  title: string,
  verdicts: readonly Verdict[],
  reasons: readonly Reason[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const verdict of verdicts) {
    const { decorators, set, member } = verdict;
    const what = decorators.length > 0 ? decorators.join(' + ') : `${set} ${member}`;
    const line = `${what}: ${reasonFor(reasons, verdict) ?? 'NO REASON GIVEN'}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [
    title,
    ...[...counts].map(([line, count]) => `  ${String(count).padStart(3)}  ${line}`),
    '',
  ];
}
