/** @file Each rule beyond the presets stands for a habit of `CONTRIBUTING.md`; `test/lint/rules.spec.ts` shows that it bites. */
import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import js from '@eslint/js';
import { createNodeResolver, flatConfigs as importX } from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importZones, packageRules } from './scripts/lint/direction-rules.mjs';

const TYPED = ['{src,test,sample,bench}/**/*.{ts,mts,cts}'];
const TESTS = ['test/**', '**/*.spec.ts', '**/*.e2e-spec.ts'];

const NO_EXPORT_ALL = {
  selector: 'ExportAllDeclaration',
  message:
    'Name each export: what a file offers is then read in one place, and barrels make no cycles.',
};

export default defineConfig(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      '**/.dist/',
      '.stryker-tmp/',
      'reports/',
      '**/results/',
      '**/coverage/',
      '**/*.generated.*',
      '**/generated/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  comments.recommended,
  {
    name: 'every file',
    plugins: { 'import-x': importX.recommended.plugins['import-x'] },
    settings: {
      'import-x/extensions': ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mts', '.cts'] },
      // The resolver that comes with the plugin, told that an import of `x.js` is the file `x.ts`.
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '.node'],
          extensionAlias: {
            '.js': ['.ts', '.js'],
            '.mjs': ['.mts', '.mjs'],
            '.cjs': ['.cts', '.cjs'],
          },
          conditionNames: ['types', 'import', 'node', 'default'],
        }),
      ],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': [
        'error',
        { basePath: import.meta.dirname, zones: importZones() },
      ],
      'import-x/no-duplicates': 'error',
      // Why a rule does not hold here is for the next reader to know: `eslint-disable-next-line x -- reason`.
      '@eslint-community/eslint-comments/require-description': [
        'error',
        { ignore: ['eslint-enable'] },
      ],
      '@eslint-community/eslint-comments/disable-enable-pair': ['error', { allowWholeFile: true }],
      'no-restricted-syntax': ['error', NO_EXPORT_ALL],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    name: 'typescript, with types',
    files: TYPED,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      // Not `projectService`: a sample's own tsconfig.json finds this package in `dist`, which a fresh clone does not have.
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A count in a message needs no String() around it.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    name: 'source',
    files: ['src/**/*.ts'],
    ignores: TESTS,
    rules: {
      'import-x/no-default-export': 'error',
      'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 15, variant: 'modified' }],
      'max-depth': ['error', 4],
      'max-params': ['error', 5],
      // A library logs through Nest's Logger, which the application configures.
      'no-console': 'error',
    },
  },
  ...packageRules(),
  {
    name: 'tests',
    files: TESTS,
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      // `expect(x.method)` compares a method, it does not call it; a fixture's handler may be async without awaiting.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    name: 'a sample: a handler may be async as those of a user are',
    files: ['sample/**'],
    rules: { '@typescript-eslint/require-await': 'off' },
  },
  {
    name: 'a table of cases is as long as it is',
    files: ['**/*.cases.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    name: 'scripts, without types',
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'Buffer',
          'URL',
          'AbortController',
          'Response',
          'console',
          'fetch',
          'performance',
          'process',
          'setTimeout',
          'clearTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
  },
);
