/** @file A class that many routes take is described once: each of them must read as if it had been described alone. */
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { ClassSchemas } from '../../src/schema/class-schemas.js';
import { describeInput } from '../../src/schema/describe-input.js';
import type { JsonSchemaObject } from '../../src/schema/json-schema.js';
import { loadOptionalPeers } from '../../src/schema/optional-peers.js';
import { bodyRoute } from './body-route.js';
import { CLASS_CASES, type ClassCase } from './corpus/class-cases.js';

const optional = await loadOptionalPeers();

class Named {
  @ApiProperty() @IsString() text!: string;
}

class Referring {
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(Named) }] }) any!: unknown;
}

const CASES: readonly Pick<ClassCase, 'dto' | 'options'>[] = [
  { dto: Referring },
  ...Object.values(CLASS_CASES),
  { dto: Named },
  { dto: Referring },
];

/** @param models makes classes known to this route by their names */
function describeWith(
  { dto, options }: (typeof CASES)[number],
  classes: ClassSchemas,
  models: readonly (typeof Named)[] = [],
) {
  const pipes = [new ValidationPipe(options)];
  return describeInput(bodyRoute(dto, models), { layout: 'grouped', pipes, optional, classes });
}

describe('classes that several routes take', () => {
  it.each([
    ['in turn', CASES],
    ['backwards', [...CASES].reverse()],
    ['twice each', CASES.flatMap((one) => [one, one])],
  ])('are described as if each route stood alone: %s', (_name, cases) => {
    const shared = new ClassSchemas();
    for (const one of cases) {
      expect(describeWith(one, shared)).toEqual(describeWith(one, new ClassSchemas()));
    }
  });

  it('what a route’s own models make of a name does not reach another route', () => {
    const shared = new ClassSchemas();
    const known = describeWith({ dto: Referring }, shared, [Named]);
    const unknown = describeWith({ dto: Referring }, shared);
    expect(known.warnings).toEqual([]);
    expect(unknown.warnings).toEqual([expect.stringContaining('"Named"')]);
    expect(known.input.schema).not.toEqual(unknown.input.schema);
  });

  it('are made once', () => {
    const shared = new ClassSchemas();
    const [first, second] = [1, 2].map(() => {
      const body = describeWith({ dto: Named }, shared).input.schema.properties?.['body'];
      return (body as JsonSchemaObject).properties?.['text'];
    });
    expect(first).toEqual({ type: 'string' });
    expect(second).toBe(first);
  });
});
