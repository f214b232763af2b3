import { isToken } from '../dispatch/header-syntax.js';
import type { CredentialUse } from '../upstream/operation.js';
import {
  Inexpressible,
  listOf,
  membersOf,
  type Members,
  type OpenApiDocument,
} from './document.js';

/** How an operation proves who calls, and what of it could not be expressed. */
export interface ImportedSecurity {
  readonly credentials: readonly CredentialUse[];
  readonly notes: readonly string[];
}

/**
 * Chooses the first of the alternatives that can be expressed; the name of its schemes become the references of the
 * credentials. With `{}` among the alternatives a credential is optional.
 *
 * @throws Inexpressible when there are alternatives and none can be
 */
export function importSecurity(document: OpenApiDocument, operation: Members): ImportedSecurity {
  const given = operation['security'] ?? document.root['security'];
  const alternatives = listOf(given).map((one) => Object.keys(membersOf(one)));
  const named = alternatives.filter((schemes) => schemes.length > 0);
  if (named.length === 0) return { credentials: [], notes: [] };
  const optional = named.length < alternatives.length;
  const reasons: string[] = [];
  for (const schemes of named) {
    const uses = schemes.map((scheme) => credentialOf(document, scheme));
    const unfit = uses.filter((use) => typeof use === 'string');
    if (unfit.length === 0) {
      const credentials = (uses as CredentialUse[]).map((use) =>
        optional ? { ...use, optional } : use,
      );
      return { credentials, notes: reasons };
    }
    reasons.push(...unfit);
  }
  if (optional) return { credentials: [], notes: reasons };
  throw Inexpressible.create(reasons.join('; '));
}

function credentialOf(document: OpenApiDocument, scheme: string): CredentialUse | string {
  const schemes = membersOf(membersOf(document.root['components'])['securitySchemes']);
  const definition = Object.hasOwn(schemes, scheme) ? document.follow(schemes[scheme]) : undefined;
  if (definition === undefined) return `the security scheme ${scheme} is not defined`;
  const bearer = { ref: scheme, in: 'header', name: 'Authorization', prefix: 'Bearer ' } as const;
  const { type, name, in: place, scheme: kind } = definition;
  switch (type) {
    case 'oauth2':
    case 'openIdConnect':
      return bearer;
    case 'apiKey':
      if (typeof name === 'string' && isToken(name) && isPlace(place)) {
        return { ref: scheme, in: place, name };
      }
      return `the API key of the security scheme ${scheme} has no place that it can be written in`;
    case 'http':
      if (String(kind).toLowerCase() === 'bearer') return bearer;
      if (String(kind).toLowerCase() === 'basic') {
        return { ref: scheme, in: 'header', name: 'Authorization', prefix: 'Basic ', base64: true };
      }
      return `the security scheme ${scheme} is HTTP ${String(kind)}, of which only bearer and basic can be expressed`;
    default:
      return `the security scheme ${scheme} is of the type ${String(type)}`;
  }
}

function isPlace(place: unknown): place is CredentialUse['in'] {
  return place === 'header' || place === 'query' || place === 'cookie';
}
