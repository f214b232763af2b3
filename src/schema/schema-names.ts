import { type ClassType, isOwnClass } from './class-type.js';
import { apiExtraModels, apiSchemaName } from './swagger-metadata.js';

/** The classes that `getSchemaPath()` may mean, by their name in the swagger document. */
export class SchemaNames {
  private readonly classes = new Map<string, ClassType>();

  constructor(...places: readonly object[]) {
    for (const place of places) this.readExtraModels(place);
  }

  find(name: string): ClassType | undefined {
    return this.classes.get(name);
  }

  /** Makes a class known, and those that `@ApiExtraModels()` names on it. */
  visit(target: ClassType): void {
    const name = apiSchemaName(target);
    if (this.classes.get(name) === target) return;
    if (!this.classes.has(name)) this.classes.set(name, target);
    this.readExtraModels(target);
  }

  private readExtraModels(place: object): void {
    for (const model of apiExtraModels(place)) {
      if (isOwnClass(model) && !this.classes.has(apiSchemaName(model))) this.visit(model);
    }
  }
}
