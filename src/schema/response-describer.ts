import { type ClassType, designTypeOf } from './class-type.js';
import {
  annotationsOf,
  orNull,
  saysNothing,
  typesOf,
  withoutAnnotations,
} from './combine-schemas.js';
import type { Definitions } from './definitions.js';
import type { JsonSchemaObject } from './json-schema.js';
import { type SchemaSource, schemaOfOpenApi } from './openapi-schema.js';
import { CLASS_TO_PLAIN, type OptionalPeers, type ValidatorMetadata } from './optional-peers.js';
import type { SchemaNames } from './schema-names.js';
import { apiProperties, apiSchemaDescription, type OpenApiObject } from './swagger-metadata.js';
import { schemaOfValidator } from './validator-rules.js';

const SCOPE = 'output';

/**
 * Describes the classes of a route's answer as a serializer writes them. Nothing checks an answer, so a class is taken at
 * swagger's word for its members, and at its validators' for their type only.
 */
export class ResponseDescriber implements SchemaSource {
  constructor(
    private readonly peers: OptionalPeers,
    private readonly definitions: Definitions,
    private readonly names: SchemaNames,
  ) {}

  find(name: string): ClassType | undefined {
    return this.names.find(name);
  }

  /** An object with the members of the class. It is open, since an answer may hold more. */
  describe(target: ClassType): JsonSchemaObject {
    return this.definitions.describe(SCOPE, target, target.name, () => this.build(target));
  }

  private build(target: ClassType): JsonSchemaObject {
    this.names.visit(target);
    const properties: Record<string, JsonSchemaObject> = {};
    const required: string[] = [];
    const documented = apiProperties(target);
    for (const property of this.propertiesOf(target, documented.keys())) {
      const given = documented.get(property);
      if (given?.writeOnly === true || this.isExcluded(target, property)) continue;
      const name = this.wireName(target, property);
      const schema =
        given === undefined
          ? this.checkedSchema(target, property)
          : this.declaredSchema(target, property, given);
      properties[name] = this.isTransformed(target, property) ? annotationsOf(schema) : schema;
      // A member is written under its other name only where a serializer runs, which is not known here.
      if (given !== undefined && given.required !== false && name === property) required.push(name);
    }
    const description = apiSchemaDescription(target);
    return {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties,
      ...(required.length > 0 ? { required } : {}),
    };
  }

  private propertiesOf(target: ClassType, documented: Iterable<string>): readonly string[] {
    const exposed = this.peers.transformers?.getExposedProperties(target, CLASS_TO_PLAIN) ?? [];
    const checked = this.validatorsOf(target).map(({ propertyName }) => propertyName);
    return [...new Set([...documented, ...checked, ...exposed])];
  }

  /** A member that may be missing is often stored, and so answered, as null. */
  private declaredSchema(
    target: ClassType,
    property: string,
    given: OpenApiObject,
  ): JsonSchemaObject {
    const isOptional =
      given.required === false ||
      this.validatorsOf(target).some(
        (metadata) => metadata.propertyName === property && metadata.name === 'isOptional',
      );
    const schema = schemaOfOpenApi(given, this);
    if (!isOptional || saysNothing(schema)) return schema;
    return { ...orNull(withoutAnnotations(schema)), ...annotationsOf(schema) };
  }

  private checkedSchema(target: ClassType, property: string): JsonSchemaObject {
    const checks = this.validatorsOf(target).filter(
      ({ propertyName, type, each }) =>
        propertyName === property && type === 'customValidation' && each !== true,
    );
    const types = checks
      .map((check) => schemaOfValidator(check, 'shown'))
      .find((schema) => typesOf(schema) !== undefined);
    if (types !== undefined) return orNull({ type: types.type });
    const declared = schemaOfOpenApi({ type: designTypeOf(target, property) }, this);
    return Object.keys(declared).length === 0 ? {} : orNull(declared);
  }

  private validatorsOf(target: ClassType): readonly ValidatorMetadata[] {
    return this.peers.validators?.getTargetValidationMetadatas(target, '', false, false) ?? [];
  }

  private isExcluded(target: ClassType, property: string): boolean {
    const storage = this.peers.transformers;
    if (storage === undefined) return false;
    const isExposed = storage.getExposedProperties(target, CLASS_TO_PLAIN).includes(property);
    return (
      storage.getExcludedProperties(target, CLASS_TO_PLAIN).includes(property) ||
      (storage.getStrategy(target) === 'excludeAll' && !isExposed)
    );
  }

  private wireName(target: ClassType, property: string): string {
    const { options } = this.peers.transformers?.findExposeMetadata(target, property) ?? {};
    return options?.toClassOnly === true ? property : (options?.name ?? property);
  }

  private isTransformed(target: ClassType, property: string): boolean {
    const found = this.peers.transformers?.findTransformMetadatas(target, property, CLASS_TO_PLAIN);
    return found !== undefined && found.length > 0;
  }
}
