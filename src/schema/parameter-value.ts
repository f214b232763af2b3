import { ClassDescriber, type DescriberContext } from './class-describer.js';
import { hasKnownMembers } from './described-members.js';
import { isOwnClass } from './class-type.js';
import { orNull, saysNothing } from './combine-schemas.js';
import type { HandlerParameter } from './handler-parameters.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ValueSource } from './member-schema.js';
import { parsedValue } from './parse-pipes.js';
import { schemaOfStandard, standardFace, takesUndefined } from './standard-schema.js';
import { type ValidationPolicy, validationPolicy } from './validation-policy.js';

/** What the description of every parameter of a route shares. */
export interface ParameterContext extends DescriberContext {
  /** The global, class and method pipes. */
  readonly pipes: readonly unknown[];
}

/** What a parameter takes. */
export interface ParameterValue {
  readonly schema: JsonSchemaObject;
  readonly required: boolean;
  /** Something that runs says so, against what swagger or a TypeScript type only declare. */
  readonly isEnforced: boolean;
  /** A Standard Schema without a JSON Schema, which says nothing here. */
  readonly isMute?: boolean;
}

/** Describes the value of one parameter, by its Standard Schema, its pipes or its type, the first that speaks. */
export function parameterValue(
  parameter: HandlerParameter,
  source: ValueSource,
  context: ParameterContext,
): ParameterValue {
  if (standardFace(parameter.schema) !== undefined) return standardValue(parameter.schema, context);
  const shared = parameter.isPiped ? context.pipes : [];
  const own = parameter.isPiped ? parameter.pipes : [];
  const parsed = parsedValue(shared, own, context.view, (items, pipe) =>
    isOwnClass(items)
      ? new ClassDescriber(context, validationPolicy([pipe]), source).describe(items)
      : {},
  );
  if (parsed.schema !== undefined && !saysNothing(parsed.schema)) {
    const takesNull = parsed.takesNull && source === 'json' && context.view === 'check';
    const schema = takesNull ? orNull(parsed.schema) : parsed.schema;
    return { schema, required: parsed.required, isEnforced: true };
  }
  const policy = validationPolicy([...shared, ...own]);
  const typed = typedValue(parameter, policy, source, context, parsed.isOpaque);
  const filled = parsed.schema?.default === undefined ? {} : { default: parsed.schema.default };
  return {
    ...typed,
    schema: { ...typed.schema, ...filled },
    required: typed.required && filled.default === undefined,
  };
}

function standardValue(schema: unknown, context: ParameterContext): ParameterValue {
  const given = schemaOfStandard(schema, 'input', context.definitions);
  const required = !takesUndefined(schema);
  return { schema: given ?? {}, required, isEnforced: true, isMute: given === undefined };
}

/** A class is what a `ValidationPipe` checks; any other type only says what the handler's author expects. */
function typedValue(
  parameter: HandlerParameter,
  policy: ValidationPolicy,
  source: ValueSource,
  context: ParameterContext,
  isOpaque: boolean,
): ParameterValue {
  const type = policy.expectedType ?? parameter.type;
  if (isOwnClass(type)) {
    const checked = parameter.binding !== 'cookie' || policy.checksCustom;
    const schema = new ClassDescriber(context, policy, source).describe(type);
    const whole = context.definitions.resolve(schema);
    return {
      schema,
      required: checked && parameter.isPiped && (whole.required?.length ?? 0) > 0,
      isEnforced: hasKnownMembers(whole),
    };
  }
  const schema = isOpaque || context.view === 'check' ? {} : declaredSchema(type, source);
  return { schema, required: false, isEnforced: false };
}

/** The schema of a TypeScript type, as far as `design:type` tells. An interface, a union or `any` is `Object` there. */
function declaredSchema(type: unknown, source: ValueSource): JsonSchemaObject {
  if (type === String) return { type: 'string' };
  if (type === Number) return { type: 'number' };
  if (type === Boolean) return { type: 'boolean' };
  if (type === Date) return { type: 'string', format: 'date-time' };
  if (type !== Array) return {};
  return source === 'text' ? { type: 'array', items: { type: 'string' } } : { type: 'array' };
}
