import { ParseIntPipe, ValidationPipe } from '@nestjs/common';
import { NO_VALIDATION, validationPolicy } from './validation-policy.js';

class Strict extends ValidationPipe {
  constructor() {
    super({ whitelist: true, transform: true });
  }
}
class Injected extends ValidationPipe {
  constructor(options: { readonly strict: { readonly whitelist: boolean } }) {
    super(options.strict);
  }
}

describe('the policy of a list of pipes', () => {
  it('is none without a ValidationPipe', () => {
    expect(validationPolicy([ParseIntPipe, new ParseIntPipe(), { transform: () => 1 }])).toBe(
      NO_VALIDATION,
    );
  });

  it('is that of an instance, a class or a subclass', () => {
    expect(validationPolicy([new ValidationPipe({ whitelist: true })])).toMatchObject({
      whitelist: true,
    });
    expect(validationPolicy([ValidationPipe])).toMatchObject({ whitelist: false });
    expect(validationPolicy([Strict])).toMatchObject({ whitelist: true, transforms: true });
    expect(validationPolicy([Injected])).toMatchObject({ whitelist: false });
  });

  it('is that of a pipe from another copy of the package', () => {
    const foreign = {
      validatorOptions: { whitelist: true },
      isTransformEnabled: false,
      transform: () => 1,
    };
    expect(validationPolicy([foreign])).toMatchObject({ whitelist: true });
  });

  it('takes members off where any of the pipes does, and skips what the first one skips', () => {
    const pipes = [
      new ValidationPipe({ skipMissingProperties: true }),
      new ValidationPipe({ whitelist: true }),
    ];
    expect(validationPolicy(pipes)).toMatchObject({
      whitelist: true,
      skipsNull: true,
      skipsUndefined: true,
    });
  });
});
