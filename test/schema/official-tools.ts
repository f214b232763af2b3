import type { Tool } from '../../src/index.js';
import { toolJson } from '../../src/protocol/tool-json.js';
import { toolProblems } from '../../src/protocol/tool-rules.js';
import { misfits, type SchemaRevision } from '../protocol/official-schema.js';

export const REVISIONS: readonly SchemaRevision[] = [
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
];

/** What the official schema of a revision, or our own rules, say against the tools as they go out. */
export function misfitsOf(tools: readonly Tool[], revision: SchemaRevision): readonly string[] {
  return tools.flatMap((tool) => [
    ...misfits(revision, 'Tool', JSON.parse(toolJson(tool, revision))).map(
      (problem) => `${tool.name}: ${problem}`,
    ),
    ...toolProblems(tool),
  ]);
}
