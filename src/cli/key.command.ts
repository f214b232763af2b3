import { parseArgs } from 'node:util';
import { AgentKeys, type ListedKey } from '../agents/agent-keys.js';
import { openSource, SOURCE_OPTIONS, SOURCE_USAGE } from './catalog-source.js';
import { readArguments, WrongCall, type CliCommand } from './cli-command.js';

const DAY_MS = 24 * 3_600_000;

export const keyCommand: CliCommand = {
  usage: `key create|revoke|list [prefix] [options]

Creates, revokes and lists the API keys of agents. A new key is printed once, and kept nowhere; its hash is.

${SOURCE_USAGE}
  --workspace <slug>   whose key; for list, whose keys alone
  --agent <slug>       whose key; for list, whose keys alone
  --days <number>      create: for how many days the key is good; it never expires when left out
  --label <text>       create: what it is for`,
  run: async (args) => {
    const { action, prefix, values } = parse(args);
    const source = openSource(values);
    try {
      const output = await perform(new AgentKeys(source), action, prefix, values);
      return { code: 0, output, errors: '' };
    } finally {
      await source.close?.();
    }
  },
};

interface GivenKey {
  readonly workspace?: string | undefined;
  readonly agent?: string | undefined;
  readonly days?: string | undefined;
  readonly label?: string | undefined;
}

function parse(args: readonly string[]) {
  const { values, positionals } = readArguments(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...SOURCE_OPTIONS,
        workspace: { type: 'string' },
        agent: { type: 'string' },
        days: { type: 'string' },
        label: { type: 'string' },
      },
    }),
  );
  const [action = '', prefix, ...rest] = positionals;
  if (!['create', 'revoke', 'list'].includes(action))
    throw WrongCall.create('Say what to do: create, revoke or list.');
  if (rest.length > 0 || (prefix !== undefined && action !== 'revoke'))
    throw WrongCall.create(`What is "${[prefix, ...rest].join(' ')}" for?`);
  return { action, prefix, values };
}

async function perform(
  keys: AgentKeys,
  action: string,
  prefix: string | undefined,
  { workspace, agent, days, label }: GivenKey,
): Promise<string> {
  if (action === 'revoke') {
    if (prefix === undefined) throw WrongCall.create('The prefix of the key is missing.');
    await keys.revoke(prefix);
    return `The key ${prefix} is revoked.`;
  }
  if (action === 'list') {
    const filter = { ...(workspace && { workspace }), ...(agent && { agent }) };
    const listed = await keys.list(filter);
    return listed.map(lineOf).join('\n') || 'There are no keys.';
  }
  if (workspace === undefined || agent === undefined)
    throw WrongCall.create('A key needs --workspace and --agent.');
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
    throw WrongCall.create('--days must be a whole number from 1 to 99999.');
  const { key } = await keys.create({
    workspace,
    agent,
    ...(label === undefined ? {} : { label }),
    ...(days === undefined ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS) }),
  });
  return key;
}

function lineOf({
  prefix,
  workspace,
  agent,
  state,
  createdAt,
  expiresAt,
  label,
}: ListedKey): string {
  const until = expiresAt === undefined ? 'never expires' : `expires ${expiresAt}`;
  const parts = [prefix, `${workspace}/${agent}`, state, `created ${createdAt}`, until, label];
  return parts.filter((part) => part !== undefined).join('  ');
}
