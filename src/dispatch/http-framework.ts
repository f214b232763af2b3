import { parse as parseQueryString } from 'node:querystring';
import { expressFormParser, fastifyFormParser, fastifyMember } from './form-parser.js';
import { NODE_PROTOTYPES, type ExchangePrototypes } from './in-process-exchange.js';
import type { PairParser } from './write-query.js';

/** What dispatch needs to know of the HTTP framework below Nest. */
export interface HttpFramework {
  readonly prototypes: ExchangePrototypes;
  /** Reads a query as the application reads it. */
  readonly parseQuery: PairParser;
  /** Reads a form as the application reads it; `undefined` where nobody can tell. */
  readonly parseForm: PairParser | undefined;
}

interface ExpressApplication {
  readonly request: object;
  readonly response: object;
  get(setting: string): unknown;
}

/**
 * @param type what the adapter's `getType()` says
 * @param instance the framework's application
 */
export function httpFramework(type: string, instance: unknown): HttpFramework {
  if (type !== 'express') {
    return {
      prototypes: NODE_PROTOTYPES,
      parseQuery: fastifyQueryParser(instance),
      parseForm: fastifyFormParser(instance),
    };
  }
  const application = instance as ExpressApplication;
  return {
    prototypes: { request: application.request, response: application.response },
    parseQuery: (query) => {
      // Read on each use, since `app.set('query parser', …)` may come late. `false` parses nothing.
      const parse = application.get('query parser fn');
      return typeof parse === 'function' ? (parse as PairParser)(query) : {};
    },
    parseForm: expressFormParser(instance),
  };
}

interface FastifyOptions {
  readonly querystringParser?: PairParser;
  readonly routerOptions?: { readonly querystringParser?: PairParser };
}

/** An own parser, or one that reads as Node does. */
function fastifyQueryParser(instance: unknown): PairParser {
  const options = fastifyMember(instance, 'fastify.options') as FastifyOptions | undefined;
  return (
    options?.routerOptions?.querystringParser ?? options?.querystringParser ?? parseQueryString
  );
}
