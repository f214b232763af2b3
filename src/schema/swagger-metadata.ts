import { ancestry, type ClassType } from './class-type.js';

/** What a decorator of @nestjs/swagger was given, in the terms of OpenAPI and with classes for schemas. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/** The keys under which @nestjs/swagger keeps its metadata, read without importing it, since it is an optional peer. */
const KEYS = {
  consumes: 'swagger/apiConsumes',
  produces: 'swagger/apiProduces',
  extraModels: 'swagger/apiExtraModels',
  headers: 'swagger/apiHeaders',
  parameters: 'swagger/apiParameters',
  properties: 'swagger/apiModelProperties',
  propertyNames: 'swagger/apiModelPropertiesArray',
  responses: 'swagger/apiResponse',
  schema: 'swagger/apiSchema',
} as const;

/** The static method that the compiler plugin of @nestjs/swagger writes. */
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

/** The members of a class that `@ApiProperty()` or the compiler plugin names, and what they say of each. */
export function apiProperties(target: ClassType): ReadonlyMap<string, OpenApiObject> {
  const prototype = target.prototype as object;
  const members = new Map<string, OpenApiObject>(Object.entries(pluginProperties(target)));
  const names: unknown = Reflect.getMetadata(KEYS.propertyNames, prototype);
  for (const name of Array.isArray(names) ? (names as unknown[]) : []) {
    if (typeof name !== 'string' || !name.startsWith(':')) continue;
    const property = name.slice(1);
    const explicit = objectOf(Reflect.getMetadata(KEYS.properties, prototype, property));
    members.set(property, { ...members.get(property), ...explicit });
  }
  return members;
}

/** What `@ApiProperty()` itself says of a member; the compiler plugin only repeats the TypeScript type. */
export function apiProperty(target: ClassType, property: string): OpenApiObject {
  return objectOf(Reflect.getMetadata(KEYS.properties, target.prototype as object, property));
}

function pluginProperties(target: ClassType): Readonly<Record<string, OpenApiObject>> {
  const levels = ancestry(target).map((level) => {
    const factory = Object.hasOwn(level, PLUGIN_FACTORY)
      ? (level as unknown as Record<string, unknown>)[PLUGIN_FACTORY]
      : undefined;
    return typeof factory === 'function' ? objectOf((factory as () => unknown).call(level)) : {};
  });
  return Object.assign({}, ...levels.reverse()) as Readonly<Record<string, OpenApiObject>>;
}

/** `@ApiParam()`, `@ApiQuery()`, `@ApiHeader()` and `@ApiBody()` of a handler and its controller. */
export function apiParameters(controller: object, handler: object): readonly OpenApiObject[] {
  return [...listAt(KEYS.headers, controller), ...listAt(KEYS.parameters, handler)].map(objectOf);
}

/** The media types of `@ApiConsumes()`: the handler's, or else the controller's. */
export function apiConsumes(controller: object, handler: object): readonly string[] {
  return mediaTypes(KEYS.consumes, controller, handler);
}

/** The media types of `@ApiProduces()`: the handler's, or else the controller's. */
export function apiProduces(controller: object, handler: object): readonly string[] {
  return mediaTypes(KEYS.produces, controller, handler);
}

function mediaTypes(key: string, controller: object, handler: object): readonly string[] {
  const own = listAt(key, handler);
  return (own.length > 0 ? own : listAt(key, controller)).filter(
    (type): type is string => typeof type === 'string',
  );
}

/** `@ApiResponse()` and its like, by status. The handler's word comes before its controller's. */
export function apiResponses(
  controller: object,
  handler: object,
): Readonly<Record<string, OpenApiObject>> {
  return {
    ...objectOf(Reflect.getMetadata(KEYS.responses, controller)),
    ...objectOf(Reflect.getMetadata(KEYS.responses, handler)),
  } as Readonly<Record<string, OpenApiObject>>;
}

/** The classes of `@ApiExtraModels()`, which `getSchemaPath()` refers to by name. */
export function apiExtraModels(target: object): readonly unknown[] {
  return listAt(KEYS.extraModels, target);
}

/** The name of a class in the swagger document: `@ApiSchema({ name })`, or its own. */
export function apiSchemaName(target: ClassType): string {
  const { name } = objectOf(listAt(KEYS.schema, target).at(-1));
  return typeof name === 'string' ? name : target.name;
}

/** The description of `@ApiSchema()`. */
export function apiSchemaDescription(target: ClassType): string | undefined {
  const { description } = objectOf(listAt(KEYS.schema, target).at(-1));
  return typeof description === 'string' ? description : undefined;
}

function listAt(key: string, target: object): readonly unknown[] {
  const value: unknown = Reflect.getMetadata(key, target);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function objectOf(value: unknown): OpenApiObject {
  return typeof value === 'object' && value !== null ? (value as OpenApiObject) : {};
}
