import { parseArgs } from 'node:util';
import { listDigests, type ListedDigests } from '../client/list-digests.js';
import { DATED_REVISIONS, MODERN_REVISION, type Revision } from '../protocol/revision.js';
import { type CliCommand, type CommandResult, readArguments, WrongCall } from './cli-command.js';

const USAGE = `digests <url> [options]

Prints the tools of a server with the digests that pin them in McpClientModule.forRoot(). The Authorization header is read
from the environment, since an argument shows in the list of processes: MCP_AUTHORIZATION.

  <url>                      the server's endpoint, such as https://shop.example.com/mcp
  --revision <revision>      what to speak, as in the options; without it the server is asked
  --allow-insecure-loopback  allows http for 127.0.0.1, [::1] and localhost
  --json                     JSON in place of lines, with the schemas`;

const REVISIONS: readonly string[] = ['auto', MODERN_REVISION, ...DATED_REVISIONS];

/** `nestjs-mcp-routes digests <url>`: what pins the tools of a server. */
export const digestsCommand: CliCommand = { usage: USAGE, run };

async function run(args: readonly string[]): Promise<CommandResult> {
  const { url, revision, allowInsecureLoopback, json } = readArguments(() => parse(args));
  const authorization = process.env['MCP_AUTHORIZATION'];
  const listed = await listDigests(url, {
    revision,
    allowInsecureLoopback,
    ...(authorization === undefined ? {} : { authorization }),
  });
  const output = json ? JSON.stringify(listed, undefined, 2) : printed(listed);
  return { code: 0, output, errors: '' };
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      revision: { type: 'string', default: 'auto' },
      'allow-insecure-loopback': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [url, ...rest] = positionals;
  if (url === undefined) throw WrongCall.create('The URL is missing.');
  if (rest.length > 0) throw WrongCall.create(`What is "${rest.join(' ')}" for?`);
  const { revision, json } = values;
  if (!REVISIONS.includes(revision)) {
    throw WrongCall.create(`The revision "${revision}" is none of ${REVISIONS.join(', ')}.`);
  }
  const allowInsecureLoopback = values['allow-insecure-loopback'];
  if (!URL.canParse(url)) throw WrongCall.create(`"${url}" is no URL.`);
  if (new URL(url).protocol === 'http:' && !allowInsecureLoopback) {
    throw WrongCall.create(
      `${url} is http. Give an https URL, or --allow-insecure-loopback for a server on this machine.`,
    );
  }
  return { url, revision: revision as Revision | 'auto', json, allowInsecureLoopback };
}

/** A line for each tool, the digest first, since it is of one length. */
function printed({ revision, tools }: ListedDigests): string {
  const lines = tools.map(({ name, inputSchemaDigest }) => {
    const digest = inputSchemaDigest ?? 'cannot be pinned';
    return `  ${digest.padEnd(71)}  ${JSON.stringify(name).slice(1, -1)}`;
  });
  return [`${tools.length} tools, revision ${revision}`, ...lines].join('\n');
}
