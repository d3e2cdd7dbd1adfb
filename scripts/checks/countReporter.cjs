// @ts-check
const { writeFileSync } = require('node:fs');

/**
 * A reporter for jest and for Playwright: writes the counts after every file or test to the file that `TEST_COUNTS` names, so that
 * they survive a crash of the runner. A file that could not run, and an error outside of tests, count as one failure each.
 */
class CountReporter {
  counts = { passed: 0, failed: 0, skipped: 0 };

  /**
   * jest's.
   *
   * @param {unknown} _test
   * @param {import('@jest/reporters').TestResult} result of a file
   */
  onTestResult(_test, result) {
    this.add('passed', result.numPassingTests);
    this.add('failed', result.numFailingTests);
    this.add('skipped', result.numPendingTests + result.numTodoTests);
    if (result.testExecError && result.numFailingTests === 0) this.add('failed', 1);
  }

  /**
   * Playwright's.
   *
   * @param {import('@playwright/test/reporter').TestCase} test
   */
  onTestEnd(test) {
    const outcome = test.outcome();
    this.add(outcome === 'expected' ? 'passed' : outcome === 'skipped' ? 'skipped' : 'failed', 1);
  }

  onError() {
    this.add('failed', 1);
  }

  /** Playwright asks: another reporter prints. */
  printsToStdio() {
    return false;
  }

  /**
   * @param {'passed' | 'failed' | 'skipped'} kind
   * @param {number} count
   */
  add(kind, count) {
    this.counts[kind] += count;
    const file = process.env['TEST_COUNTS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.counts));
  }
}

module.exports = CountReporter;
