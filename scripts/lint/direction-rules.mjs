/** @file Makes ESLint configuration of the table in `folders.mjs`. */
import { DEFAULT_ROOT, FOLDERS, LEAF_REASON, OPTIONAL_PEERS, PEER_REASON } from './folders.mjs';

const IO_MODULES = [
  'fs',
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'dns',
  'child_process',
  'worker_threads',
];
const PURE_REASON = 'This part of the way is pure: values in, a value out.';

/**
 * @returns {object[]} the zones of `import-x/no-restricted-paths`: what a folder may import at all, as values or as types
 */
export function importZones() {
  const folderZones = Object.entries(FOLDERS).map(([folder, rule]) => ({
    target: `./src/${folder}`,
    from: './src',
    except: [
      folder,
      ...(rule.root ?? DEFAULT_ROOT),
      ...(rule.imports ?? []),
      ...(rule.types ?? []),
    ].map((path) => `./${path}`),
    message: `${rule.reason} Allowed for src/${folder}: ${allowedList(rule)}.`,
  }));
  const leafZones = ['mcp.constants.ts', 'mcp.errors.ts'].map((leaf) => ({
    target: `./src/${leaf}`,
    from: './src',
    except: ['./mcp.constants.ts', './mcp.errors.ts'],
    message: LEAF_REASON,
  }));
  return [
    ...folderZones,
    ...leafZones,
    {
      target: './src',
      from: ['./test', './sample', './bench', './scripts'],
      message: 'What is published depends on nothing that is not.',
    },
    {
      target: './sample',
      from: ['./src', './test'],
      message: "A sample is a user's application: it imports the package by its name.",
    },
  ];
}

/**
 * @returns {object[]} one configuration for each folder of `src` (and one for its root files) with the packages and
 * type-only folders it may not import as values
 */
export function packageRules() {
  const root = { files: ['src/*.ts'], ...restrictedImports([...peerPatterns(), selfPattern()]) };
  root.ignores = ['**/*.spec.ts'];
  return [
    root,
    ...restrictedLeaves(),
    ...Object.entries(FOLDERS).flatMap(([folder, rule]) => folderRules(folder, rule)),
  ];
}

function folderRules(folder, rule) {
  const patterns = [...peerPatterns(rule.peers), selfPattern(), ...typePatterns(rule)];
  const base = {
    files: [`src/${folder}/**/*.ts`],
    ignores: ['**/*.spec.ts'],
    ...restrictedImports(patterns),
  };
  if (!rule.pure) return [base];
  return [
    base,
    {
      files: rule.pure.map((glob) => `src/${folder}/${glob === '**' ? '**/*.ts' : glob}`),
      ignores: ['**/*.spec.ts'],
      ...restrictedImports([...patterns, ...purePatterns()]),
    },
  ];
}

/** The option types name types of the stages, so that file reads them as types only. */
function restrictedLeaves() {
  const stages = Object.keys(FOLDERS).map((folder) => `./${folder}/**`);
  return [
    {
      files: ['src/mcp.options.ts'],
      ...restrictedImports([
        ...peerPatterns(),
        selfPattern(),
        { group: stages, allowTypeImports: true, message: LEAF_REASON },
      ]),
    },
  ];
}

function restrictedImports(patterns) {
  return { rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] } };
}

/** `group` follows gitignore: a package's sub-paths are matched with it, a later `!` takes one out. */
function peerPatterns(allowed = []) {
  const group = OPTIONAL_PEERS.concat(allowed.map((name) => `!${name}`));
  return [{ group, allowTypeImports: true, message: PEER_REASON }];
}

function selfPattern() {
  return {
    group: ['nestjs-mcp-routes', 'nestjs-mcp-routes/*'],
    message: 'Inside the package, import the file itself.',
  };
}

function typePatterns({ imports = [], types = [], reason }) {
  if (types.length === 0) return [];
  const files = imports.filter((path) => path.endsWith('.ts'));
  const group = [...types.map(specifier), ...files.map((path) => `!${specifier(path)}`)];
  return [{ group, allowTypeImports: true, message: `Only types may come from there. ${reason}` }];
}

/** @returns how a file of a folder beside it imports a folder or file of `src` */
function specifier(path) {
  return path.endsWith('.ts') ? `../${path.replace(/\.ts$/, '.js')}` : `../${path}/**`;
}

function purePatterns() {
  return [
    {
      group: IO_MODULES.flatMap((name) => [name, `node:${name}`, `node:${name}/*`]).concat(
        '@nestjs/core',
      ),
      allowTypeImports: true,
      message: PURE_REASON,
    },
    {
      group: ['@nestjs/common'],
      importNames: ['Injectable', 'Inject', 'Optional', 'Module', 'Controller', 'Catch'],
      message: PURE_REASON,
    },
  ];
}

function allowedList({ root = DEFAULT_ROOT, imports = [], types = [] }) {
  return [...root, ...imports, ...types.map((path) => `${path} (types)`)].join(', ');
}
