import type { RouteParameter } from './route-input.js';

const RESERVED: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^authorization$/, reason: "carries the caller's credential" },
  { name: /^cookie$/, reason: "carries the caller's cookies" },
  { name: /^proxy-/, reason: 'is for proxies' },
  {
    name: /^(forwarded|x-forwarded-.*|x-real-ip|via)$/,
    reason: 'tells where the caller came from',
  },
  {
    name: /^(host|connection|keep-alive|content-.*|te|trailer|transfer-encoding|expect|upgrade)$/,
    reason: 'is written by the request itself',
  },
];

/**
 * Why a header cannot be an argument, which a model would choose; `undefined` when it can.
 * @param name in lower case
 */
export function headerProblem(name: string): string | undefined {
  const reserved = RESERVED.find((entry) => entry.name.test(name));
  if (reserved === undefined) return undefined;
  return (
    `the header "${name}" ${reserved.reason}, so a model must not choose it: ` +
    'read it with @Req(), in a guard or in a custom parameter decorator instead'
  );
}

/** Why the header parameters among `parameters` cannot be arguments, as far as they cannot. */
export function headerProblems(parameters: readonly RouteParameter[]): readonly string[] {
  return parameters.flatMap(({ place, name }) => {
    const problem = place === 'header' ? headerProblem(name) : undefined;
    return problem === undefined ? [] : [problem];
  });
}
