import { type ClassType, designTypeOf, isOwnClass } from './class-type.js';
import { type ExposeMetadata, PLAIN_TO_CLASS, type TransformerStorage } from './optional-peers.js';
import type { ValidationPolicy } from './validation-policy.js';

/** What a member's value becomes before it is checked. */
export type Conversion =
  | { readonly kind: 'none' }
  /** Anything that is an object becomes a list, empty unless it was one. */
  | { readonly kind: 'list' }
  | { readonly kind: 'primitive'; readonly target: PrimitiveTarget }
  | {
      readonly kind: 'class';
      readonly target: ClassType;
      readonly container?: 'map';
      readonly discriminator?: Discriminator;
    };

export type PrimitiveTarget = 'string' | 'number' | 'boolean' | 'date';

/** A member whose value says which class the object is of. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly target: ClassType }[];
}

/** What class-transformer does with one member of a class on the way in. */
export interface MemberTransformation {
  /** The member's name in a request. */
  readonly wireName: string;
  /** `@Exclude()`: the member never arrives. */
  readonly excluded: boolean;
  /** `@Transform()`: anything may become of the value. */
  readonly transformed: boolean;
  /** `@Expose()`: the member is set although none was sent, which undoes the value its class gave it. */
  readonly exposed: boolean;
  readonly conversion: Conversion;
}

const PRIMITIVES = new Map<unknown, PrimitiveTarget>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
]);

const NONE: Conversion = { kind: 'none' };

/** The property names that class-transformer has a decorator for, beside those that other sources name. */
export function exposedNames(
  target: ClassType,
  storage: TransformerStorage | undefined,
): readonly string[] {
  return storage?.getExposedProperties(target, PLAIN_TO_CLASS) ?? [];
}

/** Whether members that `@Expose()` does not name are taken off. */
export function takesExposedOnly(
  target: ClassType,
  storage: TransformerStorage | undefined,
  policy: ValidationPolicy,
): boolean {
  return (
    storage !== undefined && (policy.exposedOnly || storage.getStrategy(target) === 'excludeAll')
  );
}

export function memberTransformation(
  target: ClassType,
  property: string,
  storage: TransformerStorage | undefined,
  policy: ValidationPolicy,
): MemberTransformation {
  if (storage === undefined) {
    const conversion = implicitConversion(target, property, policy);
    return { wireName: property, excluded: false, transformed: false, exposed: false, conversion };
  }
  const exposed = storage.getExposedProperties(target, PLAIN_TO_CLASS).includes(property);
  const expose = exposed ? storage.findExposeMetadata(target, property) : undefined;
  const wireName = expose?.options?.name ?? property;
  const excluded =
    storage.getExcludedProperties(target, PLAIN_TO_CLASS).includes(wireName) ||
    (!exposed && takesExposedOnly(target, storage, policy));
  return {
    wireName,
    excluded,
    transformed:
      storage.findTransformMetadatas(target, property, PLAIN_TO_CLASS).length > 0 ||
      isConditional(expose),
    exposed,
    conversion:
      explicitConversion(target, property, storage) ?? implicitConversion(target, property, policy),
  };
}

/** Groups and versions of class-transformer come from the call's options, so a member may be there or not. */
function isConditional(expose: ExposeMetadata | undefined): boolean {
  const { groups, since, until } = expose?.options ?? {};
  return (groups?.length ?? 0) > 0 || since !== undefined || until !== undefined;
}

/** `@Type()`. */
function explicitConversion(
  target: ClassType,
  property: string,
  storage: TransformerStorage,
): Conversion | undefined {
  const metadata = storage.findTypeMetadata(target, property);
  if (metadata === undefined) return undefined;
  const conversion = conversionTo(
    typeOf(metadata.typeFunction, property) ?? metadata.reflectedType,
  );
  if (conversion.kind !== 'class') {
    return metadata.reflectedType === Map ? NONE : conversion;
  }
  const { discriminator } = metadata.options ?? {};
  return {
    ...conversion,
    ...(metadata.reflectedType === Map ? { container: 'map' as const } : {}),
    ...(discriminator === undefined ? {} : { discriminator: knownSubTypes(discriminator) }),
  };
}

/** `@Type((help) => …)` may look at the object at hand, of which there is none yet. */
function typeOf(typeFunction: ((help: object) => unknown) | undefined, property: string): unknown {
  try {
    return typeFunction?.({ newObject: {}, object: {}, property });
  } catch {
    return Object;
  }
}

function knownSubTypes(discriminator: {
  readonly property: string;
  readonly subTypes?: readonly { readonly name: string; readonly value: unknown }[];
}): Discriminator {
  return {
    property: discriminator.property,
    subTypes: (discriminator.subTypes ?? []).flatMap(({ name, value }) =>
      isOwnClass(value) ? [{ name, target: value }] : [],
    ),
  };
}

function implicitConversion(
  target: ClassType,
  property: string,
  policy: ValidationPolicy,
): Conversion {
  if (!policy.implicitConversion) return NONE;
  const type = designTypeOf(target, property);
  return type === Array ? { kind: 'list' } : conversionTo(type);
}

function conversionTo(type: unknown): Conversion {
  const primitive = PRIMITIVES.get(type);
  if (primitive !== undefined) return { kind: 'primitive', target: primitive };
  return isOwnClass(type) ? { kind: 'class', target: type } : NONE;
}
