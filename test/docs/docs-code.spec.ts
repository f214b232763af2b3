import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parse } from 'yaml';
import { DEFAULTS } from '../../src/mcp.options.js';
import { BLOCKS, DOCUMENTS, placeOf, readDocument, type Block } from './markdown.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLE = 'test/docs/example';

const ofLanguage = (language: string): Block[] =>
  BLOCKS.filter((block) => block.language === language);
const cases = (blocks: readonly Block[]): [string, Block][] =>
  blocks.map((block) => [placeOf(block), block]);

describe('docs: code blocks', () => {
  it('are of a kind that a test here handles', () => {
    const unknown = BLOCKS.filter(({ language, words }) => {
      // `test/redis/nginx.spec.ts` runs the configuration of nginx.
      if (['ts', 'js', 'json', 'sh', 'yaml', 'nginx'].includes(language)) return false;
      return !(language === 'text' && (words.has('log') || words.has('demo')));
    });
    expect(unknown.map(placeOf)).toEqual([]);
  });

  it('type-check, each document with files of its own', () => {
    expect(typeErrors([...ofLanguage('ts'), ...ofLanguage('js')])).toEqual([]);
  }, 120_000);

  it.each(cases(BLOCKS.filter(({ words }) => isExample(words.get('file')))))(
    '%s is the file that the tests run',
    (_, { text, words }) => {
      expect(`${text}\n`).toBe(readDocument(`${EXAMPLE}/${words.get('file')}`));
    },
  );

  it.each(cases(ofLanguage('json')))('%s is JSON', (_, { text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(cases(ofLanguage('yaml')))('%s gives calls their time to finish', (_, { text }) => {
    const deployment = parse(text) as {
      spec: {
        template: {
          spec: {
            terminationGracePeriodSeconds: number;
            containers: [{ lifecycle: { preStop: { sleep: { seconds: number } } } }];
          };
        };
      };
    };
    const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec;
    const { seconds } = containers[0].lifecycle.preStop.sleep;
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
      seconds * 1_000 + DEFAULTS.shutdownGraceMs,
    );
  });

  it.each(cases(ofLanguage('sh')))('%s names commands that there are', (_, { text }) => {
    const { scripts } = JSON.parse(readDocument('package.json')) as {
      scripts: Record<string, string>;
    };
    const known = [
      'npm ci',
      'npm install',
      'npx @modelcontextprotocol/inspector',
      'npx autocannon',
      'npx nestjs-mcp-routes',
      'curl',
      'claude mcp add',
      'sudo apt-get update',
      'sudo apt-get install',
    ];
    for (const command of commandsIn(text)) {
      const script = /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? '';
      const isKnown = known.some((start) => command.startsWith(start)) || script in scripts;
      expect({ command, isKnown }).toEqual({ command, isKnown: true });
    }
  });

  it('name the Debian packages that .ci/run installs, and no others', () => {
    const [, list = ''] = /packages=\(([^)]*)\)/.exec(readDocument('.ci/run')) ?? [];
    const installed = [...list.matchAll(/=(\S+)/g)].map(([, name]) => name).sort();
    const [, named = ''] = /--no-install-recommends (.*)/.exec(readDocument('README.md')) ?? [];
    expect(installed.length).toBeGreaterThan(0);
    expect(named.split(' ').sort()).toEqual(installed);
  });
});

describe('docs: links', () => {
  const links = DOCUMENTS.flatMap((document) =>
    [...readDocument(document).matchAll(/\]\(([^)#]+)\)/g)].map(([, to]): [string, string] => [
      document,
      to as string,
    ]),
  ).filter(([, to]) => !/^https?:/.test(to));

  it.each(links)('of %s: %s leads to a file', (document, to) => {
    expect(existsSync(join(ROOT, dirname(document), to))).toBe(true);
  });
});

function isExample(file: string | undefined): boolean {
  return file !== undefined && existsSync(join(ROOT, EXAMPLE, file));
}

/** The commands of a script: without comments, lines joined at a backslash, each part of an `&&` by itself. */
function commandsIn(script: string): string[] {
  return script
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** Type-checks blocks as files that lie beside this one, as far as the compiler can tell. */
function typeErrors(blocks: readonly Block[]): string[] {
  const files = new Map<string, { text: string; first: Block }>();
  for (const block of blocks) {
    const folder = join(ROOT, 'test/docs/virtual', basename(block.document, '.md'));
    const name = join(folder, block.words.get('file') ?? `line-${block.line}.${block.language}`);
    const before = files.get(name);
    const text = before === undefined ? block.text : `${before.text}\n${block.text}`;
    files.set(name, { text, first: before?.first ?? block });
  }
  const texts = new Map([...files].map(([name, { text }]) => [name, text]));
  const program = createProgram(new Map([...borrowedFiles(texts), ...texts]));
  return [...files].flatMap(([name, { first }]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(
        ({ messageText }) =>
          `${placeOf(first)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
  );
}

/** Every document may import the files that the README shows. */
function borrowedFiles(texts: ReadonlyMap<string, string>): [string, string][] {
  const folders = new Set([...texts.keys()].map((name) => dirname(name)));
  const shown = BLOCKS.filter(
    ({ document, words }) => document === 'README.md' && words.has('file'),
  );
  return [...folders].flatMap((folder) =>
    shown.map(({ words, text }): [string, string] => [
      join(folder, words.get('file') as string),
      text,
    ]),
  );
}

function createProgram(files: ReadonlyMap<string, string>): ts.Program {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const options: ts.CompilerOptions = {
    ...config.options,
    allowJs: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => files.get(name) ?? readFile.call(host, name);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, languageVersion, ...rest)
      : ts.createSourceFile(name, text, languageVersion);
  };
  host.directoryExists = undefined;
  return ts.createProgram([...files.keys()], options, host);
}
