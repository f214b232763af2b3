import { isMembers } from '../dispatch/argument-text.js';
import { isPointer, parsePointer, valueAt } from '../upstream/pointer.js';

export type Members = Readonly<Record<string, unknown>>;

/** Something that an operation needs and that cannot be expressed. The message says what. */
export class Inexpressible extends Error {
  static create(reason: string): Inexpressible {
    return new Inexpressible(reason);
  }
}

/** A chain of references longer than this leads in a circle. */
const MAX_STEPS = 50;

/** An OpenAPI 3.0 or 3.1 document, whose references are followed inside it and nowhere else. */
export class OpenApiDocument {
  /** 3.0 has a dialect of its own for schemas; 3.1 has JSON Schema 2020-12. */
  readonly is30: boolean;

  /** @throws Error when it is no OpenAPI 3.0 or 3.1 document */
  constructor(readonly root: Members) {
    const { openapi } = root;
    const version = typeof openapi === 'string' ? openapi : '';
    if (!/^3\.[01](?:\.|$)/.test(version)) {
      const found =
        version || (typeof root['swagger'] === 'string' ? `Swagger ${root['swagger']}` : 'neither');
      throw new Error(`The document is ${found}; OpenAPI 3.0 and 3.1 can be imported.`);
    }
    this.is30 = version.startsWith('3.0');
  }

  /** The value behind a `$ref`, and behind the one that it leads to; a value that is none as it is. */
  follow(value: unknown): Members {
    let at = value;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (!isMembers(at)) return {};
      if (typeof at['$ref'] !== 'string') return at;
      at = this.target(at['$ref']);
    }
    throw Inexpressible.create(
      `the reference ${String((value as Members)['$ref'])} leads in a circle`,
    );
  }

  /** @throws Inexpressible for a reference out of the document or to nothing */
  target(ref: string): unknown {
    const pointer = ref.startsWith('#') ? decode(ref.slice(1)) : undefined;
    if (pointer === undefined || !isPointer(pointer)) {
      throw Inexpressible.create(`the reference ${ref} leads out of the document`);
    }
    const value = valueAt(this.root, parsePointer(pointer));
    if (value === undefined) throw Inexpressible.create(`the reference ${ref} leads nowhere`);
    return value;
  }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
