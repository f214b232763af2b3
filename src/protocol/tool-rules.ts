import type { Tool } from '../catalog/tool.js';
import { isObject } from './codec.js';
import { DATED_REVISIONS, MODERN_REVISION, type Revision } from './revision.js';
import { toolJson } from './tool-json.js';

const REVISIONS: readonly Revision[] = [...DATED_REVISIONS, MODERN_REVISION];
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/**
 * What makes a tool one that clients of some revision refuse, often with the whole list that it stands in (schema `Tool` of each
 * revision). Judges the tool as it goes out.
 *
 * @param place where whoever wrote the tool mends it
 */
export function toolProblems(tool: Tool, place = '@McpTool()'): string[] {
  const problems = REVISIONS.flatMap((revision) => {
    const sent = JSON.parse(toolJson(tool, revision)) as Record<string, unknown>;
    return memberProblems(sent, revision).map(
      (problem) =>
        `its tool is none that clients of ${revision} take: ${problem}. Correct it in ${place}.`,
    );
  });
  // What is wrong in one revision mostly is in all of them: the first tells it.
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const what = problem.replace(/clients of \S+/, '');
    return seen.size < seen.add(what).size;
  });
}

function memberProblems(sent: Record<string, unknown>, revision: Revision): string[] {
  const { title, description, annotations, icons, _meta: meta } = sent;
  const texts = Object.entries({ title, description })
    .filter(([, value]) => value !== undefined && typeof value !== 'string')
    .map(([name]) => `${name} is not a string`);
  return [
    ...texts,
    ...annotationProblems(annotations),
    ...iconProblems(icons),
    ...(meta === undefined || isObject(meta) ? [] : ['meta is not an object']),
    ...schemaProblems('inputSchema', sent['inputSchema'], revision),
    ...(sent['outputSchema'] === undefined || revision === MODERN_REVISION
      ? []
      : schemaProblems('outputSchema', sent['outputSchema'], revision)),
  ];
}

function annotationProblems(annotations: unknown): string[] {
  if (annotations === undefined) return [];
  if (!isObject(annotations)) return ['annotations is not an object'];
  const { title } = annotations;
  return [
    ...(title === undefined || typeof title === 'string'
      ? []
      : ['annotations.title is not a string']),
    ...HINTS.filter((hint) => !['undefined', 'boolean'].includes(typeof annotations[hint])).map(
      (hint) => `annotations.${hint} is neither true nor false`,
    ),
  ];
}

function iconProblems(icons: unknown): string[] {
  if (icons === undefined) return [];
  if (!Array.isArray(icons)) return ['icons is not a list'];
  const isIcon = (icon: unknown): boolean =>
    isObject(icon) &&
    typeof icon['src'] === 'string' &&
    /^(https?|data):/i.test(icon['src']) &&
    (icon['sizes'] === undefined || Array.isArray(icon['sizes'])) &&
    ['undefined', 'string'].includes(typeof icon['mimeType']) &&
    [undefined, 'light', 'dark'].includes(icon['theme'] as string | undefined);
  return icons.every(isIcon)
    ? []
    : ["icons has an entry that is no { src: 'https:…' or 'data:…', mimeType, sizes, theme }"];
}

function schemaProblems(name: string, schema: unknown, revision: Revision): string[] {
  if (!isObject(schema)) return [`${name} is not an object`];
  const { type, properties, required } = schema;
  const problems = type === 'object' ? [] : [`${name} has no type 'object' at its root`];
  if (properties !== undefined && !isObject(properties)) {
    problems.push(`${name}.properties is not an object`);
  } else if (revision !== MODERN_REVISION) {
    // Before 2026-07-28 a member's schema is an object: `true` is none.
    const wrong = Object.entries(properties ?? {}).filter(([, member]) => !isObject(member));
    problems.push(...wrong.map(([member]) => `${name}.properties.${member} is not an object`));
  }
  const isList =
    Array.isArray(required) && required.every((one: unknown) => typeof one === 'string');
  if (required !== undefined && !isList) problems.push(`${name}.required is not a list of names`);
  return problems;
}
