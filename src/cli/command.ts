import { parseArgs } from 'node:util';
import { loadApplication } from './load-application.js';
import { printReport } from './print-report.js';
import { reportOf } from './tools-report.js';

/** What a run of the command printed, and how it ended: 0 in order, 1 the application cannot start, 2 a wrong call. */
export interface CommandResult {
  readonly code: 0 | 1 | 2;
  readonly output: string;
  readonly errors: string;
}

const USAGE = `nestjs-mcp-routes tools <module> [options]

Prints the tools of an application, the routes that are none, and what may confuse a model.

  <module>             the compiled file of the application's module, such as dist/app.module.js
  --export <name>      the module class in that file, where it is not the only one or AppModule
  --configure <file>   a compiled file whose function does what main.ts does before listen(): prefix, versioning, pipes
  --json               JSON in place of tables`;

/** Runs the command with its arguments, those after the program's name. */
export async function runCommand(args: readonly string[]): Promise<CommandResult> {
  const given = parse(args);
  if ('problem' in given) return wrong(given.problem);
  try {
    const application = await loadApplication(given);
    try {
      const report = reportOf(application);
      const output = given.json ? JSON.stringify(report, undefined, 2) : printReport(report);
      return { code: 0, output, errors: '' };
    } finally {
      await application.app.close();
    }
  } catch (error) {
    return { code: 1, output: '', errors: error instanceof Error ? error.message : String(error) };
  }
}

interface GivenArguments {
  readonly module: string;
  readonly export: string | undefined;
  readonly configure: string | undefined;
  readonly json: boolean;
}

function parse(args: readonly string[]): GivenArguments | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        export: { type: 'string' },
        configure: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const [command, module, ...rest] = positionals;
    if (values.help || command === undefined) return { problem: '' };
    if (command !== 'tools') return { problem: `There is no command "${command}".` };
    if (module === undefined) return { problem: 'The module is missing.' };
    if (rest.length > 0) return { problem: `What is "${rest.join(' ')}" for?` };
    return { module, export: values.export, configure: values.configure, json: values.json };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function wrong(problem: string): CommandResult {
  if (problem === '') return { code: 0, output: USAGE, errors: '' };
  return { code: 2, output: '', errors: `${problem}\n\n${USAGE}` };
}
