/** What class-validator keeps of one decorator on one property. */
export interface ValidatorMetadata {
  /** `customValidation`, `nestedValidation`, `conditionalValidation`, `whitelistValidation`, `isDefined`, … */
  readonly type: string;
  /** The validator's name, such as `isInt`. Missing where `@Validate()` names a class. */
  readonly name?: string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly each?: boolean;
  readonly groups?: readonly string[];
  readonly validateIf?: unknown;
}

/** The part of class-validator's metadata storage that is read here. */
export interface ValidatorStorage {
  getTargetValidationMetadatas(
    target: unknown,
    targetSchema: string,
    always: boolean,
    strictGroups: boolean,
    groups?: readonly string[],
  ): readonly ValidatorMetadata[];
}

/** The direction of a transformation, as class-transformer numbers it. */
export const PLAIN_TO_CLASS = 0;
export const CLASS_TO_PLAIN = 1;

/** What `@Expose()` says of a property. */
export interface ExposeMetadata {
  readonly propertyName?: string;
  readonly options?: {
    readonly name?: string;
    readonly groups?: readonly string[];
    readonly since?: number;
    readonly until?: number;
    readonly toClassOnly?: boolean;
    readonly toPlainOnly?: boolean;
  };
}

/** What `@Type()` says of a property. */
export interface TypeMetadata {
  readonly typeFunction?: (help: object) => unknown;
  /** The property's `design:type`. */
  readonly reflectedType?: unknown;
  readonly options?: {
    readonly keepDiscriminatorProperty?: boolean;
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string; readonly value: unknown }[];
    };
  };
}

/** The part of class-transformer's metadata storage that is read here. */
export interface TransformerStorage {
  findTypeMetadata(target: unknown, property: string): TypeMetadata | undefined;
  findTransformMetadatas(target: unknown, property: string, direction: number): readonly unknown[];
  findExposeMetadata(target: unknown, property: string): ExposeMetadata | undefined;
  getExposedProperties(target: unknown, direction: number): readonly string[];
  getExcludedProperties(target: unknown, direction: number): readonly string[];
  getStrategy(target: unknown): 'none' | 'excludeAll' | 'exposeAll';
}

/** The metadata of the optional peers, each `undefined` when its package is not installed. */
export interface OptionalPeers {
  readonly validators?: ValidatorStorage;
  readonly transformers?: TransformerStorage;
}

/**
 * Loads class-validator and class-transformer, when they are installed.
 * @throws whatever a package throws while it loads; only a package that is not there is no error
 */
export async function loadOptionalPeers(): Promise<OptionalPeers> {
  const [validator, transformer] = await Promise.all([
    unlessMissing<{ getMetadataStorage(): ValidatorStorage }>(
      'class-validator',
      () => import('class-validator'),
    ),
    // class-transformer does not export its storage; this is where @nestjs/mapped-types finds it too.
    unlessMissing<{ defaultMetadataStorage: TransformerStorage }>(
      'class-transformer',
      // @ts-expect-error the file has no type declarations
      () => import('class-transformer/cjs/storage.js'),
    ),
  ]);
  return {
    validators: validator?.getMetadataStorage(),
    transformers: transformer?.defaultMetadataStorage,
  };
}

async function unlessMissing<Module>(
  name: string,
  load: () => Promise<unknown>,
): Promise<Module | undefined> {
  try {
    return (await load()) as Module;
  } catch (error) {
    if (isMissing(error, name)) return undefined;
    throw error;
  }
}

/** Another module that is missing, required by the package itself, is an error of the installation. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const notFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  const missing = /^Cannot find (?:package|module) '([^']*)'/.exec(String(message))?.[1];
  return notFound && missing?.includes(name) === true;
}
