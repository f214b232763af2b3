import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';

/** The keyword of ours that stands for a `$ref` into a circle. Its value is the reference. */
export const CIRCULAR_REF = 'mcp:circular-ref';

/** The errors of a value against a schema, none when it fits. */
type Verdict = readonly ErrorObject[];

interface Keyword {
  (reference: string, data: unknown, schema?: unknown, context?: DataContext): boolean;
  errors?: Partial<ErrorObject>[];
}

type DataContext = Parameters<ValidateFunction>[1];

/**
 * Teaches a validator the keyword. It judges each object once against each schema, whoever asks, so that alternatives which
 * both descend into the same member do not double the time with each level.
 *
 * @param document the key under which the validator knows the schema that the references are relative to
 * @returns what forgets the verdicts, to be called after each validation
 */
export function addCircularRef(ajv: Ajv, document: string): () => void {
  const verdicts = new Map<string, Map<unknown, Verdict>>();

  const keyword: Keyword = (reference, data, _schema, context) => {
    const isKept = typeof data === 'object' && data !== null;
    const known = isKept ? verdicts.get(reference)?.get(data) : undefined;
    if (known !== undefined) {
      // The errors were reported the first time.
      keyword.errors = carrier([]);
      return known.length === 0;
    }
    const validate = ajv.getSchema(document + reference);
    if (validate === undefined) throw new Error(`can't resolve reference ${reference}`);
    const kept = verdicts.get(reference) ?? new Map<unknown, Verdict>();
    // Until it is judged, it fits: a schema that applies itself to the same value adds nothing to what it says.
    if (isKept) verdicts.set(reference, kept.set(data, []));
    const verdict = validate(data, context) === true ? [] : [...(validate.errors ?? [])];
    if (isKept) kept.set(data, verdict);
    keyword.errors = carrier(verdict);
    return verdict.length === 0;
  };

  ajv.addKeyword({
    keyword: CIRCULAR_REF,
    schemaType: 'string',
    errors: 'full',
    validate: keyword,
  });
  return () => {
    // An empty Map makes a new table, too.
    if (verdicts.size > 0) verdicts.clear();
  };
}

/** Ajv writes over the errors of a keyword that is not its own, so they travel inside one. */
function carrier(behind: Verdict): Partial<ErrorObject>[] {
  return [{ keyword: CIRCULAR_REF, params: { behind } }];
}

/** The errors that an error of the keyword stands for. */
export function errorsBehind({ params }: ErrorObject): Verdict {
  return (params as { behind: Verdict }).behind;
}
