/** @file Two projects, since libraries that are CommonJS only cannot `require` Nest 12 in Jest's ESM mode on Node < 24.9. */
import { availableParallelism } from 'node:os';

const common = {
  testEnvironment: 'node',
  moduleNameMapper: {
    '^nestjs-mcp-routes$': '<rootDir>/src/index.ts',
    '^nestjs-mcp-routes/(.*)$': '<rootDir>/src/$1/index.ts',
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
  },
};

export default {
  // The first test of a suite compiles what it imports, on a machine that may be busy.
  testTimeout: 30_000,
  // On two cores Jest would run all suites in its own process, whose heap then slows down whatever follows.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...common,
      displayName: 'esm',
      testMatch: ['<rootDir>/{src,test,sample}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.commonjs\\.spec\\.ts$'],
      extensionsToTreatAsEsm: ['.ts'],
      transform: { '^.+\\.ts$': '@swc/jest' },
    },
    {
      ...common,
      displayName: 'commonjs',
      testMatch: ['<rootDir>/{src,test,sample}/**/*.commonjs.spec.ts'],
      transform: {
        '^.+\\.ts$': ['@swc/jest', { module: { type: 'commonjs' } }],
        '^.+\\.m?js$': [
          '@swc/jest',
          { swcrc: false, jsc: { target: 'es2022' }, module: { type: 'commonjs' } },
        ],
      },
      transformIgnorePatterns: [],
    },
  ],
};
