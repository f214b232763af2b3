import type { Type } from '@nestjs/common';
import type { ControllerMethod } from './route.js';

/** One call of the adapter's `get`, `post` and so on with a handler of a controller method. */
export interface Registration {
  readonly httpMethod: string;
  readonly path: string;
  readonly method: ControllerMethod;
}

/** A controller class that has a method which is a route: its own, or one that it inherits. */
export interface Candidate {
  readonly controller: Type;
  readonly methodName: string;
  readonly method: ControllerMethod;
  /** Controller path and method path joined: how the registered path ends. */
  readonly suffixes: readonly string[];
  /** Global prefix and version, one of which the registered path begins with, under URI versioning. */
  readonly prefixes: readonly string[] | undefined;
}

/**
 * Finds the controller class of each registration. A handler tells its method but not its class, and several classes
 * can inherit one method; their paths tell them apart, and where even those are equal (versions in a header), the order in
 * which Nest registers controllers does.
 *
 * A controller that two modules list is registered twice, and counts once.
 */
export function assignControllers(
  registrations: readonly Registration[],
  candidates: readonly Candidate[],
): { registration: Registration; candidate: Candidate }[] {
  const byMethod = new Map<ControllerMethod, Candidate[]>();
  for (const candidate of candidates) {
    const same = byMethod.get(candidate.method) ?? [];
    if (!same.some(({ controller }) => controller === candidate.controller)) same.push(candidate);
    byMethod.set(candidate.method, same);
  }
  const turns = new Map<string, number>();
  const seen = new Set<string>();
  return registrations.flatMap((registration) => {
    const fitting = fittingCandidates(registration, byMethod.get(registration.method) ?? []);
    const key = `${registration.httpMethod} ${registration.path} ${fitting[0]?.controller.name}.${fitting[0]?.methodName}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const candidate = fitting[Math.min(turn, fitting.length - 1)];
    if (candidate === undefined) return [];
    const identity = `${key} ${candidates.indexOf(candidate)}`;
    if (seen.has(identity)) return [];
    seen.add(identity);
    return [{ registration, candidate }];
  });
}

/** Those whose path is the longest that fits, and of them those whose version is: `/v1/` says more than a neutral `/`. */
function fittingCandidates({ path }: Registration, candidates: readonly Candidate[]): Candidate[] {
  if (candidates.length < 2) return [...candidates];
  const ends = ({ suffixes }: Candidate): number =>
    longest(suffixes.filter((suffix) => endsWithPath(path, suffix)));
  const begins = ({ prefixes }: Candidate): number =>
    prefixes === undefined
      ? 0
      : longest(prefixes.filter((prefix) => `${path}/`.startsWith(prefix)));
  const versioned = candidates.filter((candidate) => begins(candidate) >= 0);
  return longestOnly(longestOnly(versioned, ends), begins);
}

/** The candidates of the greatest length, none where nothing fits (-1). */
function longestOnly(
  candidates: readonly Candidate[],
  lengthOf: (candidate: Candidate) => number,
): Candidate[] {
  const most = Math.max(0, ...candidates.map(lengthOf));
  return candidates.filter((candidate) => lengthOf(candidate) === most);
}

function longest(texts: readonly string[]): number {
  return Math.max(-1, ...texts.map(({ length }) => length));
}

function endsWithPath(path: string, suffix: string): boolean {
  return suffix === '/' || path.endsWith(suffix);
}
