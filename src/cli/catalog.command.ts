import { parseArgs } from 'node:util';
import { buildAgents } from '../agents/build-agents.js';
import { AGENT_CATALOG_SCHEMA } from '../agents/catalog-schema.js';
import { KeyRing } from '../agents/key-ring.js';
import { isObject } from '../protocol/codec.js';
import { openSource, SOURCE_OPTIONS, SOURCE_USAGE } from './catalog-source.js';
import { readArguments, WrongCall, type CliCommand } from './cli-command.js';

const LOAD_TIMEOUT_MS = 30_000;

export const catalogCommand: CliCommand = {
  usage: `catalog check|schema [options]

check says what is wrong with a catalog, and what each of its agents would serve. Tools of the application's own routes are
known to the application alone, and are not checked here. schema prints the JSON Schema of a catalog, for editors.

${SOURCE_USAGE}`,
  run: async (args) => {
    const { values, positionals } = readArguments(() =>
      parseArgs({ args: [...args], allowPositionals: true, options: SOURCE_OPTIONS }),
    );
    const what = positionals.join(' ');
    if (what === 'schema') {
      return { code: 0, output: JSON.stringify(AGENT_CATALOG_SCHEMA, undefined, 2), errors: '' };
    }
    if (what !== 'check') throw WrongCall.create('Say what to do: check or schema.');
    const source = openSource(values);
    try {
      const document = await source.load(AbortSignal.timeout(LOAD_TIMEOUT_MS));
      const { agents, problems, warnings } = buildAgents(document, undefined);
      const keys = isObject(document) ? new KeyRing().replace(document['keys']) : [];
      const served = agents.map(({ workspace, slug, tools }) => {
        const names = tools.map(({ tool }) => tool.name).join(', ') || 'no tools';
        return `${workspace}/${slug}: ${names}`;
      });
      const found = [...problems, ...keys];
      return {
        code: found.length === 0 ? 0 : 1,
        output: found.length === 0 ? served.join('\n') : '',
        errors: [...found, ...warnings.map((warning) => `warning: ${warning}`)].join('\n'),
      };
    } finally {
      await source.close?.();
    }
  },
};
