import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ExchangeError } from './exchange-error.js';

/** Says where arguments do not fit; `undefined` when they do. */
export type InputCheck = (args: unknown) => string | undefined;

const DRAFT_2020_12 = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema';

/** `format` is an annotation (JSON Schema Validation 2020-12, section 7.2.1); every other keyword must be known. */
const OPTIONS: Options = {
  strictSchema: true,
  strictNumbers: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  validateFormats: false,
  ownProperties: true,
  logger: false,
};

/**
 * Compiles the check of arguments against the schema that the options pin. Nothing is fetched: a reference must lead to somewhere
 * in the schema itself.
 *
 * @throws ExchangeError for a keyword, a dialect or a reference that is not supported
 */
export function compileInputCheck(schema: Readonly<Record<string, unknown>>): InputCheck {
  let validate: ReturnType<Ajv['compile']>;
  const ajv = createAjv(schema['$schema']);
  try {
    validate = ajv.compile({ ...schema });
  } catch {
    throw new ExchangeError('the input schema of the tool has what the client cannot check');
  }
  return (args) => {
    if (validate(args) === true) return undefined;
    const { instancePath = '', message = 'they do not fit' } = validate.errors?.[0] ?? {};
    return `${instancePath.slice(0, 100) || 'they'}: ${message.slice(0, 200)}`;
  };
}

function createAjv(dialect: unknown): Ajv {
  const uri = typeof dialect === 'string' ? dialect.replace(/#$/, '') : dialect;
  if (uri !== undefined && uri !== DRAFT_2020_12 && uri !== DRAFT_07) {
    throw new ExchangeError(
      'the input schema of the tool is of a dialect that the client cannot check',
    );
  }
  const ajv = uri === DRAFT_07 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  // Where an argument is repeated, and the name of a place: nothing of a value. Ajv reads `$anchor`, but does not list it.
  return ajv.addVocabulary(['x-mcp-header', '$anchor']);
}
