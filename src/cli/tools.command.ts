import { parseArgs } from 'node:util';
import { readArguments, WrongCall, type CliCommand } from './cli-command.js';
import { loadApplication } from './load-application.js';
import { printReport } from './print-report.js';
import { reportOf } from './tools-report.js';

export const toolsCommand: CliCommand = {
  usage: `tools <module> [options]

Prints the tools of an application, the routes that are none, and what may confuse a model.

  <module>             the compiled file of the application's module, such as dist/app.module.js
  --export <name>      the module class in that file, where it is not the only one or AppModule
  --configure <file>   a compiled file whose function does what main.ts does before listen(): prefix, versioning, pipes
  --json               JSON in place of tables`,
  run: async (args) => {
    const given = parse(args);
    const application = await loadApplication(given);
    try {
      const report = reportOf(application);
      const output = given.json ? JSON.stringify(report, undefined, 2) : printReport(report);
      return { code: 0, output, errors: '' };
    } finally {
      await application.app.close();
    }
  },
};

interface GivenArguments {
  readonly module: string;
  readonly export: string | undefined;
  readonly configure: string | undefined;
  readonly json: boolean;
}

function parse(args: readonly string[]): GivenArguments {
  const { values, positionals } = readArguments(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        export: { type: 'string' },
        configure: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }),
  );
  const [module, ...rest] = positionals;
  if (module === undefined) throw WrongCall.create('The module is missing.');
  if (rest.length > 0) throw WrongCall.create(`What is "${rest.join(' ')}" for?`);
  return { module, export: values.export, configure: values.configure, json: values.json };
}
