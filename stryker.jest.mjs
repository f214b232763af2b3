/** @file The pure specs of policy alone, for `stryker.config.mjs`. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/policy/*.spec.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
};
