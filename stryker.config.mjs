import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @file `npm run test:mutation`: every rule of `src/policy` is broken once, and a test of it must fail. Only the pure specs
 * beside the rules run, so that a survivor is a rule that nobody states, and so that a run takes minutes.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['src/policy/**/*.ts', '!src/policy/**/*.spec.ts'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: { projectType: 'custom', configFile: 'stryker.jest.mjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  // The sandbox is a copy: what the specs do not read stays out of it.
  ignorePatterns: [
    '/bench',
    '/dist',
    '/docs',
    '/results',
    '/sample',
    '/scripts',
    '/test',
    '/coverage',
  ],
  concurrency: 2,
  // Generous: a mutant that a busy machine runs slowly must not count as one that a test noticed.
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
  allowConsoleColors: false,
  // Not within the project, where Jest would take its copies of package.json for packages of the same name.
  tempDirName: join(tmpdir(), 'nestjs-mcp-routes-stryker'),
  cleanTempDir: 'always',
};
