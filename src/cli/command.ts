import { type CliCommand, type CommandResult, WrongCall } from './cli-command.js';

const PROGRAM = 'nestjs-mcp-routes';

/** Each loads with its own command: an optional peer of one is not needed for another. */
const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  tools: async () => (await import('./tools.command.js')).toolsCommand,
  key: async () => (await import('./key.command.js')).keyCommand,
  catalog: async () => (await import('./catalog.command.js')).catalogCommand,
  digests: async () => (await import('./digests.command.js')).digestsCommand,
  'import-openapi': async () => (await import('./import-openapi.command.js')).importOpenApiCommand,
};

/** Runs the command with its arguments, those after the program's name. */
export async function runCommand(args: readonly string[]): Promise<CommandResult> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name === '--help') return shown(await usage());
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load === undefined) return wrong(`There is no command "${name}".`, await usage());
    const command = await loaded(load);
    if (rest.includes('--help')) return shown(`${PROGRAM} ${command.usage}`);
    try {
      return await command.run(rest);
    } catch (error) {
      if (error instanceof WrongCall) return wrong(error.message, `${PROGRAM} ${command.usage}`);
      throw error;
    }
  } catch (error) {
    return { code: 1, output: '', errors: messageOf(error) };
  }
}

/** The usage of each command that can be loaded. */
async function usage(): Promise<string> {
  const commands = await Promise.allSettled(Object.values(COMMANDS).map(loaded));
  return commands
    .map((command, i) =>
      command.status === 'fulfilled'
        ? `${PROGRAM} ${command.value.usage}`
        : `${PROGRAM} ${Object.keys(COMMANDS)[i]}: ${messageOf(command.reason)}`,
    )
    .join('\n\n');
}

/** @throws Error that says what to install, where a command's optional peer is missing */
async function loaded(load: () => Promise<CliCommand>): Promise<CliCommand> {
  try {
    return await load();
  } catch (error) {
    const missing = /^Cannot find package '([^']+)'/.exec(messageOf(error))?.[1];
    if (missing === undefined) throw error;
    throw new Error(`It needs the package ${missing}: npm install ${missing}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function shown(output: string): CommandResult {
  return { code: 0, output, errors: '' };
}

function wrong(problem: string, text: string): CommandResult {
  return { code: 2, output: '', errors: `${problem}\n\n${text}` };
}
