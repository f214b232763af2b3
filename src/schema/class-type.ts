/** A class, as decorators and `design:type` name it. */
export type ClassType = (abstract new (...args: never[]) => object) & { readonly name: string };

const BUILT_IN: readonly unknown[] = [
  String,
  Number,
  Boolean,
  Date,
  Object,
  Array,
  Map,
  Set,
  Promise,
  Function,
  Symbol,
  Buffer,
  RegExp,
  Error,
  typeof BigInt === 'undefined' ? undefined : BigInt,
];

/** Whether `type` is a class of the application, whose members can be known. */
export function isOwnClass(type: unknown): type is ClassType {
  return (
    typeof type === 'function' &&
    typeof (type as { prototype?: unknown }).prototype === 'object' &&
    !BUILT_IN.includes(type)
  );
}

/** The classes that `target` extends, itself first. */
export function ancestry(target: ClassType): readonly ClassType[] {
  const classes: ClassType[] = [];
  for (let at: unknown = target; isOwnClass(at); at = Object.getPrototypeOf(at)) classes.push(at);
  return classes;
}

export function designTypeOf(target: ClassType, property: string): unknown {
  return Reflect.getMetadata('design:type', target.prototype as object, property);
}

/**
 * The values that a class gives its own members (`page = 1`), which stand where a request has none. class-transformer
 * constructs the class the same way, without arguments.
 */
export function initialValues(target: ClassType): Readonly<Record<string, unknown>> {
  try {
    const instance = new (target as unknown as new () => object)();
    return Object.fromEntries(Object.entries(instance));
  } catch {
    return {};
  }
}
