import type { ClassSchemas } from './class-schemas.js';
import { type ClassType, designTypeOf, initialValues } from './class-type.js';
import { orNull, orOfTypes, saysNothing } from './combine-schemas.js';
import type { Definitions } from './definitions.js';
import { described, isShown } from './described-members.js';
import type { JsonSchemaObject } from './json-schema.js';
import {
  type CheckedMember,
  convertedTo,
  schemaOfChecked,
  type ValueSource,
} from './member-schema.js';
import { annotationsOfOpenApi, type SchemaSource, schemaOfOpenApi } from './openapi-schema.js';
import type { OptionalPeers, ValidatorMetadata } from './optional-peers.js';
import type { SchemaNames } from './schema-names.js';
import type { SchemaView } from './schema-view.js';
import { schemaOfSubTypes } from './sub-types.js';
import {
  apiProperties,
  apiProperty,
  apiSchemaDescription,
  type OpenApiObject,
} from './swagger-metadata.js';
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

/** What speaks of a member, beside `@Transform()`. */
interface MemberSources {
  readonly checked: CheckedMember | undefined;
  readonly declared: Omit<Member, 'name'>;
  /** A whitelist takes every member off an object that `@Type()` gives no class. */
  readonly isEmptied: boolean;
}

/** What all the descriptions of one schema share. */
export interface DescriberContext {
  readonly peers: OptionalPeers;
  readonly definitions: Definitions;
  readonly names: SchemaNames;
  /** What other tools have described already. */
  readonly classes: ClassSchemas;
  readonly view: SchemaView;
}

/** Describes the classes of a route's input as the route's pipes take them. */
export class ClassDescriber implements SchemaSource {
  /** What the schema of a class depends on, beside the class. */
  private readonly scope: string;
  private readonly peers: OptionalPeers;
  private readonly view: SchemaView;

  constructor(
    private readonly context: DescriberContext,
    private readonly policy: ValidationPolicy,
    private readonly source: ValueSource,
  ) {
    this.scope = `${context.view} ${source} ${JSON.stringify({ ...policy, expectedType: undefined })}`;
    this.peers = context.peers;
    this.view = context.view;
  }

  find(name: string): ClassType | undefined {
    return this.context.names.find(name);
  }

  /** An object with the members of the class, closed where no other member reaches the handler. */
  describe(target: ClassType): JsonSchemaObject {
    const { definitions, names, classes } = this.context;
    const known = classes.get(this.scope, target);
    if (known !== undefined) {
      for (const one of known.classes) names.visit(one);
      return known.schema;
    }
    const { uses } = definitions;
    const { lookups } = names;
    const from = names.visited.length;
    const schema = definitions.describe(this.scope, target, target.name, () => this.build(target));
    const isSelfContained = definitions.uses === uses && names.lookups === lookups;
    if (isSelfContained) {
      classes.set(this.scope, target, { schema, classes: names.visited.slice(from) });
    }
    return schema;
  }

  private build(target: ClassType): JsonSchemaObject {
    this.context.names.visit(target);
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
      const isReadOnly = given.readOnly === true;
      if (step.excluded || (isReadOnly && this.view === 'shown')) return [];
      const checks = validators.get(name) ?? [];
      const member = this.memberOf(target, name, checks, given, step);
      const isRequired = member.required && !isReadOnly;
      return [this.withInitial({ ...member, required: isRequired }, step, initial[name])];
    });
  }

  private memberOf(
    target: ClassType,
    property: string,
    validators: readonly ValidatorMetadata[],
    given: OpenApiObject,
    step: MemberTransformation,
  ): Member {
    const checked =
      validators.length > 0 ? this.checked(target, property, validators, step) : undefined;
    const name = step.wireName;
    const isUndone = step.transformed && step.exposed;
    if (this.view === 'check') {
      const schema = step.transformed ? {} : (checked?.schema ?? {});
      return { name, schema, required: checked?.required === true && !isUndone };
    }
    const declared = this.declared(target, property, given, step);
    const isEmptied =
      this.policy.whitelist && validators.some(({ type }) => type === 'nestedValidation');
    const sources = { checked, declared, isEmptied };
    const schema = this.shown(target, property, given, step, sources);
    return { name, schema, required: (checked ?? declared).required && !isUndone };
  }

  private shown(
    target: ClassType,
    property: string,
    given: OpenApiObject,
    { transformed }: MemberTransformation,
    { checked, declared, isEmptied }: MemberSources,
  ): JsonSchemaObject {
    const shape = transformed
      ? this.beforeTransformation(target, property, (checked ?? declared).schema)
      : described(checked?.schema ?? {}, declared.schema, isEmptied);
    const takesNull = transformed || checked === undefined || checked.takesNull;
    const isNullable = given.nullable === true && this.source === 'json' && takesNull;
    return { ...(isNullable ? orNull(shape) : shape), ...annotationsOfOpenApi(given) };
  }

  /** What validators say is what the route does; what swagger says beside them only describes it. */
  private checked(
    target: ClassType,
    property: string,
    validators: readonly ValidatorMetadata[],
    { conversion }: MemberTransformation,
  ): CheckedMember {
    return schemaOfChecked(validators, {
      policy: this.policy,
      source: this.source,
      view: this.view,
      conversion,
      type: designTypeOf(target, property),
      nested: () => this.nested(conversion),
    });
  }

  /** Validators see what `@Transform()` made of the value; of the value itself only `@ApiProperty()` tells. */
  private beforeTransformation(
    target: ClassType,
    property: string,
    after: JsonSchemaObject,
  ): JsonSchemaObject {
    const { nullable: _, ...given } = apiProperty(target, property);
    const explicit = schemaOfOpenApi(given, this);
    const isBareList = explicit.type === 'array' && explicit.items === undefined;
    return saysNothing(explicit) || isBareList ? convertedTo(after) : explicit;
  }

  /** Nothing checks the member: the application's own word for it stands. */
  private declared(
    target: ClassType,
    property: string,
    given: OpenApiObject,
    { conversion }: MemberTransformation,
  ): Omit<Member, 'name'> {
    const { nullable: _nullable, ...own } = given;
    if (Object.keys(given).length > 0) {
      return { schema: schemaOfOpenApi(own, this), required: given.required !== false };
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
            this.view,
          );
    if (container !== 'map') return one;
    const value = this.view === 'shown' ? one : orOfTypes(one, ['array']);
    return { type: 'object', additionalProperties: value };
  }

  private withInitial(member: Member, step: MemberTransformation, initial: unknown): Member {
    if (initial === undefined || (step.exposed && !this.policy.keepsDefaults)) return member;
    const isSaid = member.schema.default !== undefined || this.view === 'check';
    const shown = !isSaid && isShown(initial);
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
