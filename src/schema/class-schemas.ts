import type { ClassType } from './class-type.js';
import type { JsonSchemaObject } from './json-schema.js';

/** A schema that says the same in every tool, and the classes that it is made of. */
export interface ClassSchema {
  readonly schema: JsonSchemaObject;
  readonly classes: readonly ClassType[];
}

/**
 * The schemas of classes that many routes take: a class is described once for all of them, as long as its description neither
 * needs a definition nor refers to a class by its name, which are each tool's own.
 */
export class ClassSchemas {
  private readonly known = new Map<string, Map<ClassType, ClassSchema>>();

  /** @param scope what a schema depends on, beside the class */
  get(scope: string, target: ClassType): ClassSchema | undefined {
    return this.known.get(scope)?.get(target);
  }

  set(scope: string, target: ClassType, made: ClassSchema): void {
    const schemas = this.known.get(scope) ?? new Map<ClassType, ClassSchema>();
    this.known.set(scope, schemas.set(target, made));
  }
}
