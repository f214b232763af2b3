import { parse as parseQueryString } from 'node:querystring';
import { NODE_PROTOTYPES, type ExchangePrototypes } from './in-process-exchange.js';

/** What dispatch needs to know of the HTTP framework below Nest. */
export interface HttpFramework {
  readonly prototypes: ExchangePrototypes;
  /** Reads a query as the application reads it. */
  readonly parseQuery: (query: string) => unknown;
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
  if (type !== 'express') return { prototypes: NODE_PROTOTYPES, parseQuery: parseQueryString };
  const application = instance as ExpressApplication;
  return {
    prototypes: { request: application.request, response: application.response },
    parseQuery: (query) => {
      // Read on each use, since `app.set('query parser', …)` may come late. `false` parses nothing.
      const parse = application.get('query parser fn');
      return typeof parse === 'function' ? (parse as (query: string) => unknown)(query) : {};
    },
  };
}
