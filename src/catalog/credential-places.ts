import type { Route } from '../discovery/route.js';
import { readSecurityNames } from '../discovery/tool-metadata.js';
import type { McpSecurityScheme, ResolvedOptions } from '../mcp.options.js';
import type { RouteInput, RouteParameter } from '../schema/route-input.js';

/**
 * A credential is never the model's to choose: a parameter that stands where a security scheme reads one. The option
 * `securitySchemes` says where that is (OpenAPI 3.1, Security Scheme Object); without it, a scheme that `@ApiSecurity()` and
 * its like only name is taken to be read from a parameter of that name.
 */
export function credentialProblems(
  route: Route,
  input: RouteInput,
  { securitySchemes }: Pick<ResolvedOptions, 'securitySchemes'>,
): string[] {
  const named = readSecurityNames(route);
  return input.parameters.flatMap((parameter) => {
    const { place, name } = parameter;
    const scheme = Object.entries(securitySchemes).find(([, one]) => reads(one, parameter))?.[0];
    const namesake = named.find(
      (one) => !Object.hasOwn(securitySchemes, one) && one.toLowerCase() === name.toLowerCase(),
    );
    const found = scheme ?? (place === 'path' ? undefined : namesake);
    if (found === undefined) return [];
    return [
      `it takes the ${place} "${name}" as an argument, where the security scheme "${found}" reads a credential, so a model would choose it: read it in a guard or with @Req() instead`,
    ];
  });
}

function reads({ type, in: where, name }: McpSecurityScheme, parameter: RouteParameter): boolean {
  if (type !== 'apiKey') return parameter.place === 'header' && parameter.name === 'authorization';
  if (where !== parameter.place || name === undefined) return false;
  return where === 'header'
    ? name.toLowerCase() === parameter.name.toLowerCase()
    : name === parameter.name;
}
