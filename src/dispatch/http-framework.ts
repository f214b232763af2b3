import { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQueryString } from 'node:querystring';
import { exchangeConstructors, type ExchangeConstructors } from './exchange-constructors.js';
import { expressFormParser, fastifyFormParser, fastifyMember } from './form-parser.js';
import type { PairParser } from './write-query.js';

/** What dispatch needs to know of the HTTP framework below Nest. */
export interface HttpFramework {
  /** Make requests and responses as the framework has them. */
  readonly constructors: ExchangeConstructors;
  /** Whether the framework replaces the prototypes of requests and responses: Fastify wraps them instead. */
  readonly replacesPrototypes: boolean;
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

const NODE_PROTOTYPES = { request: IncomingMessage.prototype, response: ServerResponse.prototype };

/**
 * @param type what the adapter's `getType()` says
 * @param instance the framework's application
 */
export function httpFramework(type: string, instance: unknown): HttpFramework {
  if (type !== 'express') {
    return {
      constructors: exchangeConstructors(NODE_PROTOTYPES),
      replacesPrototypes: false,
      parseQuery: fastifyQueryParser(instance),
      parseForm: fastifyFormParser(instance),
    };
  }
  const application = instance as ExpressApplication;
  const { request, response } = application;
  return {
    constructors: exchangeConstructors({ request, response }),
    replacesPrototypes: true,
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
