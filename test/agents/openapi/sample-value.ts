import fc from 'fast-check';

type Members = Readonly<Record<string, unknown>>;

/** Reads the document's own schemas, and shares no code with the import. */
export class SampleMaker {
  constructor(
    private readonly root: Members,
    /** Another number makes another choice where a schema has alternatives. */
    private readonly turn: number,
  ) {}

  follow(value: unknown): Members {
    let at = value as Members | undefined;
    while (typeof at?.['$ref'] === 'string') at = this.at(at['$ref']) as Members;
    return at ?? {};
  }

  private at(ref: string): unknown {
    return ref
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((value: unknown, step) => (value as Members)[step], this.root);
  }

  /** A value that fits the schema of a request, as far as these few rules go. */
  make(given: unknown, depth = 0, alsoRequired: readonly string[] = []): unknown {
    const schema = this.follow(given);
    if (Array.isArray(schema['enum']))
      return (schema['enum'] as unknown[]).find((one) => one !== null);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['allOf'])) return this.merged(schema, depth, alsoRequired);
    const branches = [schema['oneOf'], schema['anyOf']].find(Array.isArray) as
      unknown[] | undefined;
    if (branches !== undefined && branches.length > 0) {
      const needed = [...alsoRequired, ...requiredOf(schema)];
      const value = this.make(branches[this.turn % branches.length], depth + 1, needed);
      const beside =
        schema['properties'] === undefined ? {} : (this.object(schema, depth, needed) as object);
      return isObject(value) ? { ...beside, ...value } : value;
    }
    return this.typed(schema, depth, alsoRequired);
  }

  private typed(schema: Members, depth: number, alsoRequired: readonly string[]): unknown {
    const [type = schema['properties'] ? 'object' : schema['items'] ? 'array' : 'string'] = [
      schema['type'],
    ]
      .flat()
      .filter((one) => one !== undefined && one !== 'null') as string[];
    switch (type) {
      case 'object':
        return this.object(schema, depth, alsoRequired);
      case 'array':
        return this.list(schema, depth);
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return number(schema);
      default:
        return this.text(schema);
    }
  }

  private merged(schema: Members, depth: number, alsoRequired: readonly string[]): unknown {
    const list = schema['allOf'] as unknown[];
    // What one part requires, another one describes.
    const needed = [
      ...alsoRequired,
      ...requiredOf(schema),
      ...list.flatMap((part) => requiredOf(this.follow(part))),
    ];
    const { oneOf, anyOf } = schema;
    const alternatives = oneOf === undefined && anyOf === undefined ? [] : [{ oneOf, anyOf }];
    const parts = [...list, ...alternatives].map((part) => this.make(part, depth, needed));
    const objects = parts.filter(isObject);
    if (objects.length === 0) return parts[0];
    const own =
      schema['properties'] === undefined ? {} : (this.object(schema, depth, needed) as object);
    const whole = Object.assign({}, ...objects, own) as Record<string, unknown>;
    // Some documents require what they do not describe.
    if (alsoRequired.length === 0 && this.turn % 2 === 1)
      for (const name of needed) whole[name] ??= 'x';
    return whole;
  }

  private object(schema: Members, depth: number, alsoRequired: readonly string[]): Members {
    const required = [...alsoRequired, ...requiredOf(schema)];
    const properties = Object.entries((schema['properties'] ?? {}) as Members).filter(
      ([name, member]) => {
        if (this.follow(member)['readOnly'] === true || (member as Members)['readOnly'] === true)
          return false;
        const wanted = this.turn < 4 && depth < 2;
        return wanted || required.includes(name);
      },
    );
    const described = (schema['properties'] ?? {}) as Members;
    const isAlone = alsoRequired.length === 0;
    const own: Record<string, unknown> = Object.fromEntries([
      // Some documents require what they do not describe.
      ...(isAlone ? requiredOf(schema) : [])
        .filter((name) => !Object.hasOwn(described, name))
        .map((name) => [name, 'x'] as const),
      ...properties.map(
        ([name, member]) => [name, depth > 8 ? null : this.make(member, depth + 1)] as const,
      ),
    ]);
    const least = Number(schema['minProperties'] ?? 0);
    const isMap = properties.length === 0 && isObject(schema['additionalProperties']);
    if (!isMap || (this.turn > 3 && least === 0) || depth > 3) return own;
    const name =
      schema['propertyNames'] === undefined ? 'sample' : String(this.make(schema['propertyNames']));
    return { [name]: this.make(schema['additionalProperties'], depth + 1) };
  }

  private list(schema: Members, depth: number): unknown[] {
    const least = Number(schema['minItems'] ?? 0);
    const most = Number(schema['maxItems'] ?? 2);
    const count = Math.max(
      least,
      Math.min(most, depth > 4 ? least : schema['uniqueItems'] === true ? 1 : 2),
    );
    return Array.from({ length: count }, () => this.make(schema['items'] ?? {}, depth + 1));
  }

  private matching(pattern: string, schema: Members): string | undefined {
    const samples = samplesOf(pattern, 7 + (this.turn % 4));
    const fitting = samples.filter((one) => fits(one, schema) && !/^\.{0,2}$/.test(one));
    return fitting.find((one) => /^[\w-]/.test(one)) ?? fitting[0] ?? samples[0];
  }

  private text(schema: Members): string {
    const { format, pattern } = schema;
    const matching = typeof pattern === 'string' ? this.matching(pattern, schema) : undefined;
    if (matching !== undefined) return matching;
    const text = FORMATS[format as string] ?? 'a b&c=ü/1';
    const { least, most } = bounds(schema);
    return text.padEnd(least, 'x').slice(0, most);
  }
}

const PATTERNS = new Map<string, readonly string[]>();

function samplesOf(pattern: string, seed: number): readonly string[] {
  const key = `${seed} ${pattern}`;
  const known = PATTERNS.get(key);
  if (known !== undefined) return known;
  const samples = drawn(pattern, seed);
  PATTERNS.set(key, samples);
  return samples;
}

/** None of a pattern that looks around: the import leaves it out, so that any text does. */
function drawn(pattern: string, seed: number): readonly string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed, numRuns: 10 });
  } catch {
    return [];
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  uuid: '8a6e0804-2bd0-4672-b79d-d97027f9071a',
  email: 'ada+x@example.com',
  uri: 'https://example.com/a?b=c&d',
};

function bounds({
  minLength = 0,
  maxLength = 10_000,
}: {
  minLength?: unknown;
  maxLength?: unknown;
}) {
  return { least: Number(minLength), most: Number(maxLength) };
}

function fits(text: string, schema: Members): boolean {
  const { least, most } = bounds(schema);
  const length = [...text].length;
  return length >= Math.max(1, least) && length <= most && !/\p{Surrogate}/u.test(text);
}

function number(schema: Members): number {
  const low = [schema['minimum'], schema['exclusiveMinimum']].filter(
    (one) => typeof one === 'number',
  );
  const high = [schema['maximum'], schema['exclusiveMaximum']].filter(
    (one) => typeof one === 'number',
  );
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : 1;
  const least = low.length === 0 ? undefined : Math.max(...low);
  if (least !== undefined)
    return Math.ceil((least + (schema['exclusiveMinimum'] === undefined ? 0 : step)) / step) * step;
  return high.length === 0 ? 7 * step : Math.min(7, Math.floor(Math.min(...high) - 1));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requiredOf(schema: Members): readonly string[] {
  return (Array.isArray(schema['required']) ? schema['required'] : []) as string[];
}
