/** @file A Jest reporter that writes the totals of a run, over all projects, to the file that `MCP_TEST_TOTALS` names. */
const { writeFileSync } = require('node:fs');

/** CommonJS, since Jest loads reporters by `require`. */
module.exports = class TotalsReporter {
  /** @param {import('@jest/reporters').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    const totals = {
      passed: results.numPassedTests,
      // A suite that cannot run has no tests to fail, so it counts itself.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    };
    writeFileSync(process.env.MCP_TEST_TOTALS, JSON.stringify(totals));
  }
};
