// @ts-check
import { existsSync, readFileSync } from 'node:fs';

/**
 * What a check came to. A check that is one question (types, lint, build) counts as one.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * @param {boolean} succeeded
 * @returns {Counts}
 */
export function oneCheck(succeeded) {
  return succeeded ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * Jest's own count. A file that could not run at all holds tests that were not counted: it is one failure.
 *
 * @param {string} reportFile written by `--outputFile`
 * @param {boolean} succeeded whether jest ended with 0
 * @returns {Counts}
 */
export function jestCounts(reportFile, succeeded) {
  if (!existsSync(reportFile)) return oneCheck(false);
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return honest(
    { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests },
    succeeded,
  );
}

/**
 * Playwright's own count. A test that passed only on another try has failed once: it counts as a failure.
 *
 * @param {string} reportFile written by the json reporter
 * @param {boolean} succeeded whether Playwright ended with 0
 * @returns {Counts}
 */
export function playwrightCounts(reportFile, succeeded) {
  if (!existsSync(reportFile)) return oneCheck(false);
  const { stats, errors = [] } = JSON.parse(readFileSync(reportFile, 'utf8'));
  const failed = stats.unexpected + stats.flaky + errors.length;
  return honest({ passed: stats.expected, failed, skipped: stats.skipped }, succeeded);
}

/**
 * A suite that ended badly with no failure in its report, or that ran nothing, has failed all the same.
 *
 * @param {Counts} counts
 * @param {boolean} succeeded
 * @returns {Counts}
 */
function honest(counts, succeeded) {
  const unexplained = counts.failed === 0 && (!succeeded || counts.passed === 0);
  return unexplained ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function sum(all) {
  return all.reduce(
    (total, counts) => ({
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
