/** @jest-environment node */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callScript, startScript } from './runScript';

// Each call is a process of its own; on a busy machine that takes a while. The limit only ends what hangs.
jest.setTimeout(180_000);

const counts = 'scripts/checks/counts.mjs';
let report: string;
beforeEach(() => {
  report = path.join(mkdtempSync(path.join(tmpdir(), 'vestibule-counts-')), 'report.json');
});
afterEach(() => {
  rmSync(path.dirname(report), { recursive: true, force: true });
});

const count = (name: string, content: object | null, succeeded: boolean): Promise<unknown> => {
  if (content !== null) writeFileSync(report, JSON.stringify(content));
  return callScript(counts, name, report, succeeded);
};

const jestReport = {
  numPassedTests: 10,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};

describe('the count of the unit tests', () => {
  test('matches jest', async () => {
    const content = { ...jestReport, numFailedTests: 2, numPendingTests: 3, numTodoTests: 1 };
    expect(await count('jestCounts', content, false)).toStrictEqual({ passed: 10, failed: 2, skipped: 4 });
    expect(await count('jestCounts', jestReport, true)).toStrictEqual({ passed: 10, failed: 0, skipped: 0 });
  });

  test('has a failure for each file that could not run, because its tests were not counted', async () => {
    const content = { ...jestReport, numRuntimeErrorTestSuites: 2 };
    expect(await count('jestCounts', content, false)).toStrictEqual({ passed: 10, failed: 2, skipped: 0 });
  });

  test('has a failure when jest failed, ran nothing, or wrote no report', async () => {
    expect(await count('jestCounts', null, true)).toStrictEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(await count('jestCounts', jestReport, false)).toStrictEqual({ passed: 10, failed: 1, skipped: 0 });
    const nothing = { ...jestReport, numPassedTests: 0 };
    expect(await count('jestCounts', nothing, true)).toStrictEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('the count of the journeys', () => {
  test('matches Playwright; a test that passed only on a retry has failed', async () => {
    const stats = { expected: 20, unexpected: 1, flaky: 2, skipped: 3 };
    expect(await count('playwrightCounts', { stats, errors: [] }, false)).toStrictEqual({
      passed: 20,
      failed: 3,
      skipped: 3,
    });
  });

  test('has a failure for each error outside a test', async () => {
    const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
    const content = { stats, errors: [{ message: 'no tests found' }] };
    expect(await count('playwrightCounts', content, false)).toStrictEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });
});

describe('npm test', () => {
  test('with an unknown check lists the known ones, and prints a count', async () => {
    const { code, output } = await startScript('scripts/test.mjs', ['unti']).ended;
    expect(code).toBe(1);
    expect(output).toContain(
      "No check is called 'unti'. There are: types, contract, lint, format, build, unit, bytes, journeys, browsers, engines, operating, soak",
    );
    expect(output).toMatch(/\n0 passed, 1 failed\n$/);
  });

  test('prints the sum of all checks on the last line', async () => {
    const { code, output } = await startScript('scripts/test.mjs', ['contract']).ended;
    expect(output).toMatch(/\n\n1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });
});
