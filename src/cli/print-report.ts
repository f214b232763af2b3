import type { ReportedEndpoint, ToolsReport } from './tools-report.js';

const HEADINGS = ['tool', 'route', 'guards', 'arguments', 'bytes'];
/** Longer cells make a table that nobody can read; `--json` has all of them. */
const MAX_CELL = 60;

/** A report for people. */
export function printReport({ endpoints, notTools, warnings }: ToolsReport): string {
  const parts = endpoints.map(printEndpoint);
  if (notTools.length > 0) {
    const rows = notTools.map(({ route, why }) => [route, why]);
    parts.push(`Routes that are no tools:\n${table(rows)}`);
  }
  if (warnings.length > 0) {
    parts.push(`Warnings:\n${warnings.map((warning) => `  - ${warning}`).join('\n')}`);
  }
  return parts.join('\n\n');
}

function printEndpoint({ path, tools, bytes }: ReportedEndpoint): string {
  const rows = tools.map((tool) => [
    tool.name,
    tool.route,
    tool.guards.join(', ') || '-',
    tool.arguments.join(', ') || '-',
    String(tool.bytes),
  ]);
  const title = `Endpoint "${path}": ${tools.length} tools, ${bytes} bytes`;
  return tools.length === 0 ? title : `${title}\n${table([HEADINGS, ...rows])}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const cut = rows.map((row) => row.map((cell, column) => shortened(cell, column, row.length)));
  const widths = (cut[0] ?? []).map((_, column) =>
    Math.max(...cut.map((row) => row[column]?.length ?? 0)),
  );
  return cut
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The last column ends the line, so it may be long. */
function shortened(cell: string, column: number, columns: number): string {
  const isLast = column === columns - 1;
  return cell.length > MAX_CELL && !isLast ? `${cell.slice(0, MAX_CELL - 1)}…` : cell;
}
