import { type ClassType, isOwnClass } from './class-type.js';
import { apiExtraModels, apiSchemaName } from './swagger-metadata.js';

/** The classes that `getSchemaPath()` may mean, by their name in the swagger document. */
export class SchemaNames {
  /** The names that something refers to and that no class has. */
  readonly missing = new Set<string>();
  private readonly classes = new Map<string, ClassType>();
  /** How often a class was asked for by its name. */
  lookups = 0;
  /** Every class that was visited, in order. */
  readonly visited: ClassType[] = [];

  constructor(...places: readonly object[]) {
    for (const place of places) this.readExtraModels(place);
  }

  find(name: string): ClassType | undefined {
    this.lookups += 1;
    const found = this.classes.get(name);
    if (found === undefined) this.missing.add(name);
    return found;
  }

  /** Makes a class known, and those that `@ApiExtraModels()` names on it. */
  visit(target: ClassType): void {
    this.visited.push(target);
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

/** What to tell of schema paths that lead nowhere. */
export function missingNames({ missing }: SchemaNames): readonly string[] {
  return [...missing].map(
    (name) =>
      `getSchemaPath() refers to "${name}", which no class that is known here has for a name, so that it says nothing: ` +
      `name the class in @ApiExtraModels(${name})`,
  );
}
