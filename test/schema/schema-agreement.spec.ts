/** @file What a real `ValidationPipe` takes, the check takes: it may be looser, never stricter; and it takes all that is shown. */
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeInput } from '../../src/schema/describe-input.js';
import { loadOptionalPeers } from '../../src/schema/optional-peers.js';
import { bodyRoute } from './body-route.js';
import { CLASS_CASES, type ClassCase } from './corpus/class-cases.js';

/** Values of every JSON type, and the edges that most decorators have. */
// prettier-ignore
const VALUES: readonly unknown[] = [
  null, '', ' ', 'a', 'ab', 'abc', 'abcde', 'abcdef', '1', '1.5', 'true', 'null', 0, 1, -1, 2, 1.5, true, false, [], {},
  [null], [''], ['a'], [1], [{}], [[]], { a: 1 },
];

const peers = await loadOptionalPeers();
const ajv = new Ajv2020({ strict: false, validateFormats: false });

function samplesOf({
  dto,
  valid,
  values = [],
  ignored = [],
}: ClassCase): readonly Readonly<Record<string, unknown>>[] {
  const names = new Set(Object.keys(valid));
  for (const { propertyName } of peers.validators?.getTargetValidationMetadatas(
    dto,
    '',
    true,
    false,
  ) ?? []) {
    if (!ignored.includes(propertyName)) names.add(propertyName);
  }
  return [
    valid,
    ...[...names].flatMap((name) => {
      const { [name]: _left, ...without } = valid;
      return [without, ...[...VALUES, ...values].map((value) => ({ ...valid, [name]: value }))];
    }),
  ];
}

function schemaOf({ dto, options }: ClassCase) {
  return describeInput(bodyRoute(dto), {
    layout: 'grouped',
    pipes: [new ValidationPipe(options)],
    optional: peers,
  }).input;
}

async function pipeTakes({ dto, options }: ClassCase, sample: unknown): Promise<boolean> {
  const pipe = new ValidationPipe(options);
  try {
    await pipe.transform(JSON.parse(JSON.stringify(sample)), { type: 'body', metatype: dto });
    return true;
  } catch {
    return false;
  }
}

describe('the schema of a class and its ValidationPipe', () => {
  it.each(Object.entries(CLASS_CASES))('agree on %s', async (_name, given) => {
    const { schema, check } = schemaOf(given);
    const validate = ajv.compile(check ?? schema);
    const isShown = ajv.compile(schema);
    const refused: unknown[] = [];
    const shownOnly: unknown[] = [];
    let loose = 0;
    const samples = samplesOf(given);
    for (const sample of samples) {
      const takes = await pipeTakes(given, sample);
      const fits = validate({ body: sample });
      if (takes && !fits) refused.push({ sample, errors: ajv.errorsText(validate.errors) });
      if (!takes && fits) loose += 1;
      if (!fits && isShown({ body: sample })) shownOnly.push(sample);
    }
    await expect(pipeTakes(given, given.valid)).resolves.toBe(true);
    expect(refused).toEqual([]);
    expect(shownOnly).toEqual([]);
    if (process.env.AGREEMENT !== undefined) console.log(_name, samples.length, 'loose', loose);
  });
});
