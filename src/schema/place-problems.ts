import type { RouteParameter } from './route-input.js';

/** Where two parameters would write one place of the request, so that one of them never arrives. */
export function placeProblems(
  path: readonly string[],
  parameters: readonly RouteParameter[],
): readonly string[] {
  const twice = path.filter((name, index) => path.indexOf(name) !== index);
  const query = parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  return [
    ...[...new Set(twice)].map(
      (name) =>
        `its path has the parameter "${name}" twice, so that one value hides the other: rename one of them`,
    ),
    ...query.flatMap((name) => {
      const whole = /^([^[]+)\[/.exec(name)?.[1];
      if (whole === undefined || !query.includes(whole)) return [];
      return [
        `it reads the query "${whole}" and the query "${name}", which is a part of it: two arguments would write one place. ` +
          `Read "${whole}" alone, as an object`,
      ];
    }),
  ];
}
