/** @file The pure specs of policy alone, for `stryker.config.mjs`. */
export default {
  testEnvironment: 'node',
  // A run for each mutant: what Jest looks at before it begins counts hundreds of times.
  roots: ['<rootDir>/src/policy'],
  watchman: false,
  testMatch: ['<rootDir>/src/policy/*.spec.ts'],
  moduleNameMapper: {
    // All that policy uses of it, at a tenth of the time that the whole takes to load.
    '^@nestjs/common$': '<rootDir>/node_modules/@nestjs/common/exceptions/index.js',
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
};
