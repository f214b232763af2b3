/**
 * @file Checks the package as npm would publish it, unpacked in a directory outside this one: what the tarball holds, what
 * its declarations mention, and that each entry of `exports` loads by `import` and by `require`, the root entry without
 * any optional peer at hand. Run it after `npm run build`; it names every problem and exits with 1 when there is one.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');

/** The optional peer that an entry is about, so that its declarations may name it. */
const OWN_PEERS = {
  auth: ['jose'],
  redis: ['ioredis', 'redis'],
  testing: ['@modelcontextprotocol/client'],
  upstream: ['undici'],
};
/** A name of each entry that its users import first. */
const FIRST_NAMES = {
  '.': ['McpModule', 'McpTool'],
  './auth': ['McpJwtGuard', 'McpApiKeyGuard'],
  './agents': ['McpAgentsModule'],
  './client': ['McpClientModule', 'McpToolClient', 'decodeDescriptor'],
  './redis': ['McpRedisSessionStore', 'McpRedisEventBus'],
  './testing': ['McpTestClient'],
};

const isOptional = (peer) => manifest.peerDependenciesMeta?.[peer]?.optional === true;
const peers = Object.keys(manifest.peerDependencies ?? {});
const required = [
  ...Object.keys(manifest.dependencies ?? {}),
  ...peers.filter((peer) => !isOptional(peer)),
];
const optional = peers.filter(isOptional);

const problems = [];
const work = mkdtempSync(join(tmpdir(), 'mcp-package-'));
try {
  const installed = unpack();
  checkFiles(installed);
  checkDeclarations(installed);
  linkPackages(required);
  checkImport('.', 'with the required peers only');
  linkPackages([...optional, '@types/node']);
  for (const entry of entries) checkImport(entry, 'with every peer');
  checkTypes();
} finally {
  rmSync(work, { recursive: true, force: true });
}

for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(
  `✓ ${manifest.name} ${manifest.version}: ${entries.length} entries load by import and require`,
);

/** @returns where the tarball's content is: `node_modules/<name>` of the working directory */
function unpack() {
  const packArgs = ['pack', '--ignore-scripts', '--silent', '--pack-destination', work];
  execFileSync('npm', packArgs, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
  const installed = join(work, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(work, tarball), '--strip-components=1', '-C', installed]);
  return installed;
}

/** A link leads to this repository's copy, which finds its own dependencies there; the package itself finds only links. */
function linkPackages(names) {
  for (const name of names) {
    const link = join(work, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
}

function checkFiles(installed) {
  const files = listFiles(installed);
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md']) {
    if (!files.includes(file)) problems.push(`the tarball has no ${file}`);
  }
  const strays = files.filter((file) => /\.(spec|test)\.|^(src|test|sample|scripts)\//.test(file));
  for (const file of strays) problems.push(`the tarball holds ${file}, which no user needs`);
  for (const [entry, targets] of Object.entries(manifest.exports)) {
    for (const target of Object.values(typeof targets === 'string' ? { targets } : targets)) {
      if (!files.includes(target.slice(2)))
        problems.push(`exports["${entry}"] leads to ${target}, which is missing`);
    }
  }
}

/** A declaration may name what every user has. One that names an optional peer breaks the type check of a user without it. */
function checkDeclarations(installed) {
  const always = [manifest.name, ...required];
  for (const file of listFiles(installed).filter((name) => name.endsWith('.d.ts'))) {
    const own = OWN_PEERS[file.split('/')[1]] ?? [];
    for (const mentioned of mentionedPackages(readFileSync(join(installed, file), 'utf8'))) {
      if ([...always, ...own].includes(mentioned)) continue;
      problems.push(
        `${file} mentions "${mentioned}", which is neither a dependency nor a required peer`,
      );
    }
  }
}

function mentionedPackages(source) {
  const { importedFiles, typeReferenceDirectives, ambientExternalModules } =
    ts.preProcessFile(source);
  const specifiers = [
    ...[...importedFiles, ...typeReferenceDirectives].map(({ fileName }) => fileName),
    ...(ambientExternalModules ?? []),
  ];
  const outside = specifiers.filter(
    (name) => !name.startsWith('.') && !name.startsWith('node:') && name !== 'node',
  );
  return new Set(outside.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')));
}

/** Loads an entry in fresh processes, by `import` and by `require`, and compares the names it offers. */
function checkImport(entry, circumstance) {
  const specifier = JSON.stringify(manifest.name + entry.slice(1));
  const print = 'process.stdout.write(JSON.stringify(Object.keys(entry).sort()))';
  const names = {
    import: run('mjs', `import * as entry from ${specifier};\n${print};\n`),
    require: run('cjs', `const entry = require(${specifier});\n${print};\n`),
  };
  for (const [way, found] of Object.entries(names)) {
    const where = `${way} of ${specifier} ${circumstance}`;
    if (typeof found === 'string') {
      problems.push(`${where} failed: ${found}`);
      continue;
    }
    if (found.includes('default')) problems.push(`${where}: there is a default export`);
    const missing = (FIRST_NAMES[entry] ?? []).filter((name) => !found.includes(name));
    if (missing.length > 0) problems.push(`${where}: ${missing.join(', ')} missing`);
    if (found.length === 0) problems.push(`${where}: it exports nothing`);
  }
  if (
    JSON.stringify(names.import) !== JSON.stringify(names.require) &&
    Array.isArray(names.import)
  ) {
    problems.push(`${specifier} ${circumstance}: import and require see different names`);
  }
}

/** @returns the names that the program printed, or what went wrong */
function run(extension, source) {
  const file = join(work, `load.${extension}`);
  writeFileSync(
    file,
    `${extension === 'mjs' ? "import 'reflect-metadata';" : "require('reflect-metadata');"}\n${source}`,
  );
  try {
    return JSON.parse(
      execFileSync(process.execPath, [file], {
        cwd: work,
        encoding: 'utf8',
        stdio: 'pipe',
        timeout: 60_000,
      }),
    );
  } catch (error) {
    return String(error.stderr || error.message)
      .trim()
      .split('\n')
      .slice(0, 8)
      .join('\n  ');
  }
}

/** The type check of a user who imports every entry from an ES module and from a CommonJS one. */
function checkTypes() {
  const lines = entries.map(
    (entry, index) =>
      `import * as entry${index} from '${manifest.name + entry.slice(1)}';\nvoid entry${index};`,
  );
  for (const file of ['consumer.mts', 'consumer.cts'])
    writeFileSync(join(work, file), `${lines.join('\n')}\n`);
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
  ];
  try {
    execFileSync(process.execPath, [tsc, ...args, 'consumer.mts', 'consumer.cts'], {
      cwd: work,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    problems.push(`a user's type check fails:\n  ${error.stdout.trim()}`);
  }
}

function listFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}
