import { ValidationPipe } from '@nestjs/common';

/** What the route's validation pipes do with a value: `ValidationPipe`'s options, as far as they change what is taken. */
export interface ValidationPolicy {
  /** Members without a decorator of class-validator are taken off, or refused. */
  readonly whitelist: boolean;
  readonly groups?: readonly string[];
  readonly always: boolean;
  readonly strictGroups: boolean;
  /** A member that is null is not checked. */
  readonly skipsNull: boolean;
  /** A member that is missing is not checked. */
  readonly skipsUndefined: boolean;
  /** `transform`: path and query parameters of a primitive type are converted to it. */
  readonly transforms: boolean;
  /** class-transformer's `enableImplicitConversion`. */
  readonly implicitConversion: boolean;
  /** class-transformer's `excludeExtraneousValues`, or its strategy `excludeAll`. */
  readonly exposedOnly: boolean;
  /** A member that `@Expose()` names keeps the value its class gives it, although none was sent. */
  readonly keepsDefaults: boolean;
  /** The class that a value is checked against, whatever the parameter says. */
  readonly expectedType?: unknown;
  /** Parameters of custom decorators, headers and the like are checked too. */
  readonly checksCustom: boolean;
}

/** A route without a `ValidationPipe`: its classes say what it expects, and nothing takes members off. */
export const NO_VALIDATION: ValidationPolicy = {
  whitelist: false,
  always: false,
  strictGroups: false,
  skipsNull: false,
  skipsUndefined: false,
  transforms: false,
  implicitConversion: false,
  exposedOnly: false,
  keepsDefaults: false,
  checksCustom: false,
};

interface PipeFields {
  readonly isTransformEnabled?: boolean;
  readonly expectedType?: unknown;
  readonly validateCustomDecorators?: boolean;
  readonly validatorOptions?: {
    readonly whitelist?: boolean;
    readonly groups?: readonly string[];
    readonly always?: boolean;
    readonly strictGroups?: boolean;
    readonly skipMissingProperties?: boolean;
    readonly skipNullProperties?: boolean;
    readonly skipUndefinedProperties?: boolean;
  };
  readonly transformOptions?: {
    readonly enableImplicitConversion?: boolean;
    readonly excludeExtraneousValues?: boolean;
    readonly strategy?: string;
    readonly exposeDefaultValues?: boolean;
    readonly exposeUnsetFields?: boolean;
  };
}

/**
 * The policy of a parameter's pipes. The first `ValidationPipe` says what is checked, and every one may take members off.
 * @param pipes instances or classes, in the order Nest runs them
 */
export function validationPolicy(pipes: readonly unknown[]): ValidationPolicy {
  const policies = pipes.flatMap((pipe) => {
    const fields = validationPipeFields(pipe);
    return fields === undefined ? [] : [policyOf(fields)];
  });
  const [first] = policies;
  if (first === undefined) return NO_VALIDATION;
  return { ...first, whitelist: policies.some(({ whitelist }) => whitelist) };
}

/** Whether Nest's `ValidationPipe`, or a subclass of it, is `pipe`. */
export function isValidationPipe(pipe: unknown): boolean {
  return validationPipeFields(pipe) !== undefined;
}

function validationPipeFields(pipe: unknown): PipeFields | undefined {
  if (pipe instanceof ValidationPipe || isForeign(pipe)) return pipe as PipeFields;
  if (typeof pipe !== 'function') return undefined;
  if (pipe === ValidationPipe) return new ValidationPipe() as unknown as PipeFields;
  if (!(pipe.prototype instanceof ValidationPipe)) return undefined;
  return constructed(pipe as new () => ValidationPipe);
}

/** The `ValidationPipe` of another copy of @nestjs/common, as monorepos come to have. */
function isForeign(pipe: unknown): boolean {
  if (typeof pipe !== 'object' || pipe === null) return false;
  return 'validatorOptions' in pipe && 'isTransformEnabled' in pipe;
}

/** A subclass may set its options itself. One that needs its dependencies for it is taken for one without options. */
function constructed(pipe: new () => ValidationPipe): PipeFields {
  try {
    return new pipe() as unknown as PipeFields;
  } catch {
    return {};
  }
}

function policyOf(fields: PipeFields): ValidationPolicy {
  const { validatorOptions = {}, transformOptions = {} } = fields;
  const skipsMissing = validatorOptions.skipMissingProperties === true;
  return {
    whitelist: validatorOptions.whitelist === true,
    groups: validatorOptions.groups,
    always: validatorOptions.always === true,
    strictGroups: validatorOptions.strictGroups === true,
    skipsNull: skipsMissing || validatorOptions.skipNullProperties === true,
    skipsUndefined: skipsMissing || validatorOptions.skipUndefinedProperties === true,
    transforms: fields.isTransformEnabled === true,
    implicitConversion: transformOptions.enableImplicitConversion === true,
    exposedOnly:
      transformOptions.excludeExtraneousValues === true ||
      transformOptions.strategy === 'excludeAll',
    keepsDefaults:
      transformOptions.exposeDefaultValues === true || transformOptions.exposeUnsetFields === false,
    expectedType: fields.expectedType,
    checksCustom: fields.validateCustomDecorators === true,
  };
}
