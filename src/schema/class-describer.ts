import { type ClassType, designTypeOf, initialValues } from './class-type.js';
import { annotationsOf, orOfTypes, withoutAnnotations } from './combine-schemas.js';
import type { Definitions } from './definitions.js';
import type { JsonSchemaObject } from './json-schema.js';
import {
  afterwards,
  schemaOfChecked,
  schemaOfSubTypes,
  type ValueSource,
} from './member-schema.js';
import { annotationsOfOpenApi, type SchemaSource, schemaOfOpenApi } from './openapi-schema.js';
import type { OptionalPeers, ValidatorMetadata } from './optional-peers.js';
import type { SchemaNames } from './schema-names.js';
import { apiProperties, apiSchemaDescription, type OpenApiObject } from './swagger-metadata.js';
import {
  type Conversion,
  exposedNames,
  type MemberTransformation,
  memberTransformation,
  takesExposedOnly,
} from './transformation.js';
import type { ValidationPolicy } from './validation-policy.js';

interface Member {
  readonly name: string;
  readonly schema: JsonSchemaObject;
  readonly required: boolean;
}

/** Describes the classes of a route's input as the route's pipes take them. */
export class ClassDescriber implements SchemaSource {
  /** What the schema of a class depends on, beside the class. */
  private readonly scope: string;

  constructor(
    private readonly peers: OptionalPeers,
    private readonly policy: ValidationPolicy,
    private readonly source: ValueSource,
    private readonly definitions: Definitions,
    private readonly names: SchemaNames,
  ) {
    this.scope = `input ${source} ${JSON.stringify({ ...policy, expectedType: undefined })}`;
  }

  find(name: string): ClassType | undefined {
    return this.names.find(name);
  }

  /** An object with the members of the class, closed where no other member reaches the handler. */
  describe(target: ClassType): JsonSchemaObject {
    return this.definitions.describe(this.scope, target, target.name, () => this.build(target));
  }

  private build(target: ClassType): JsonSchemaObject {
    this.names.visit(target);
    const members = this.membersOf(target);
    const required = members.filter((member) => member.required).map(({ name }) => name);
    const description = apiSchemaDescription(target);
    return {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 ? { required } : {}),
      ...(this.isClosed(target) ? { additionalProperties: false } : {}),
    };
  }

  private isClosed(target: ClassType): boolean {
    return this.policy.whitelist || takesExposedOnly(target, this.peers.transformers, this.policy);
  }

  private membersOf(target: ClassType): readonly Member[] {
    const validators = this.validatorsOf(target);
    const documented = apiProperties(target);
    const initial = initialValues(target);
    const names = new Set([
      ...validators.keys(),
      ...(this.policy.whitelist ? [] : documented.keys()),
      ...(this.policy.whitelist ? [] : exposedNames(target, this.peers.transformers)),
    ]);
    return [...names].flatMap((name) => {
      const given = documented.get(name) ?? {};
      const step = memberTransformation(target, name, this.peers.transformers, this.policy);
      if (step.excluded || given.readOnly === true) return [];
      const checks = validators.get(name) ?? [];
      const member = this.memberOf(target, name, checks, given, step);
      return [this.withInitial(member, step, initial[name])];
    });
  }

  private memberOf(
    target: ClassType,
    property: string,
    validators: readonly ValidatorMetadata[],
    given: OpenApiObject,
    step: MemberTransformation,
  ): Member {
    const { schema, required } =
      validators.length > 0
        ? this.checked(target, property, validators, step)
        : this.declared(target, property, given, step);
    const taken = step.transformed
      ? { ...afterwards(schema, 'converts'), ...annotationsOf(schema) }
      : schema;
    return {
      name: step.wireName,
      schema: {
        ...withoutAnnotations(taken),
        ...annotationsOf(taken),
        ...annotationsOfOpenApi(given),
      },
      required: required && !(step.transformed && step.exposed),
    };
  }

  /** What validators say is what the route does; what swagger says beside them only describes it. */
  private checked(
    target: ClassType,
    property: string,
    validators: readonly ValidatorMetadata[],
    { conversion }: MemberTransformation,
  ): Omit<Member, 'name'> {
    return schemaOfChecked(validators, {
      policy: this.policy,
      source: this.source,
      conversion,
      isList: designTypeOf(target, property) === Array,
      nested: () => this.nested(conversion),
    });
  }

  /** Nothing checks the member: the application's own word for it stands. */
  private declared(
    target: ClassType,
    property: string,
    given: OpenApiObject,
    { conversion }: MemberTransformation,
  ): Omit<Member, 'name'> {
    if (Object.keys(given).length > 0) {
      return { schema: schemaOfOpenApi(given, this), required: given.required !== false };
    }
    if (conversion.kind === 'class') {
      const isList = designTypeOf(target, property) === Array;
      const nested = this.nested(conversion);
      return { schema: isList ? { type: 'array', items: nested } : nested, required: false };
    }
    return {
      schema: schemaOfOpenApi({ type: designTypeOf(target, property) }, this),
      required: false,
    };
  }

  /** What `@ValidateNested()` finds: without `@Type()` a plain object, of which nothing is checked. */
  private nested(conversion: Conversion): JsonSchemaObject {
    if (conversion.kind !== 'class') return { type: 'object' };
    const { discriminator, container } = conversion;
    const base = this.describe(conversion.target);
    const one =
      discriminator === undefined
        ? base
        : schemaOfSubTypes(
            discriminator.property,
            discriminator.subTypes.map(({ name, target }) => ({
              name,
              schema: this.describe(target),
            })),
            base,
          );
    if (container !== 'map') return one;
    return { type: 'object', additionalProperties: orOfTypes(one, ['array']) };
  }

  private withInitial(member: Member, step: MemberTransformation, initial: unknown): Member {
    if (initial === undefined || (step.exposed && !this.policy.keepsDefaults)) return member;
    const shown = member.schema.default === undefined && isShown(initial);
    return {
      ...member,
      required: false,
      schema: shown ? { ...member.schema, default: initial } : member.schema,
    };
  }

  private validatorsOf(target: ClassType): ReadonlyMap<string, readonly ValidatorMetadata[]> {
    const { always, strictGroups, groups } = this.policy;
    const found = this.peers.validators?.getTargetValidationMetadatas(
      target,
      '',
      always,
      strictGroups,
      groups,
    );
    const byProperty = new Map<string, ValidatorMetadata[]>();
    for (const metadata of found ?? []) {
      const list = byProperty.get(metadata.propertyName) ?? [];
      byProperty.set(metadata.propertyName, [...list, metadata]);
    }
    return byProperty;
  }
}

/** A value that JSON writes as it is. */
function isShown(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isShown(item));
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a class has members that a schema can name. */
export function hasKnownMembers(schema: JsonSchemaObject): boolean {
  return schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
}
