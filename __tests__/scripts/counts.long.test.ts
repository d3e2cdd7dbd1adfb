/** @jest-environment node */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callScript, startScript } from './runScript';

// Each call is a process of its own; on a busy machine that takes a while. The limit only ends what hangs.
jest.setTimeout(180_000);

describe('the counts of a check', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vestibule-counts-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** What `npm test` makes of a check that wrote this before it ended. */
  const count = (written: object | null, succeeded: boolean): Promise<unknown> => {
    const file = path.join(folder, 'counts.json');
    if (written !== null) writeFileSync(file, JSON.stringify(written));
    return callScript('scripts/test.mjs', 'countsOf', { counts: true }, file, succeeded);
  };

  test('are those that its reporter wrote', async () => {
    expect(await count({ passed: 10, failed: 2, skipped: 4 }, false)).toEqual({
      passed: 10,
      failed: 2,
      skipped: 4,
    });
    expect(await count({ passed: 10, failed: 0, skipped: 0 }, true)).toEqual({
      passed: 10,
      failed: 0,
      skipped: 0,
    });
  });

  test('survive a crash of the runner, which is a failure', async () => {
    expect(await count({ passed: 10, failed: 0, skipped: 0 }, false)).toEqual({
      passed: 10,
      failed: 1,
      skipped: 0,
    });
  });

  test('have a failure when it ran nothing', async () => {
    expect(await count(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('are one for a check that is one question', async () => {
    expect(await callScript('scripts/test.mjs', 'countsOf', {}, '', true)).toEqual({
      passed: 1,
      failed: 0,
      skipped: 0,
    });
  });
});

describe('npm test', () => {
  test('with an unknown check lists the known ones, and prints a count', async () => {
    const { code, output } = await startScript('scripts/test.mjs', ['unti']).ended;
    expect(code).toBe(1);
    expect(output).toContain(
      "No check is called 'unti'. There are: types, contract, lint, format, build, unit, bytes, journeys, firefox, webkit, orca, engines, operating, trials, soak, faults",
    );
    expect(output).toMatch(/\n0 passed, 1 failed\n$/);
  });

  test('prints the sum of all checks on the last line', async () => {
    const { code, output } = await startScript('scripts/test.mjs', ['contract']).ended;
    expect(output).toMatch(/\n\n1 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  test('lists the checks that it leaves out, why, and what to do', async () => {
    const programs = mkdtempSync(path.join(tmpdir(), 'vestibule-programs-'));
    for (const name of ['node', 'npm', 'sh'])
      symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), path.join(programs, name));
    const { output } = await startScript('scripts/test.mjs', ['contract', 'webkit'], {
      PATH: programs,
      npm_execpath: '',
    }).ended;
    rmSync(programs, { recursive: true });
    expect(output).toMatch(
      /Not run on this machine:\n\nwebkit +webkit: no WebKitGTK with its driver and Xvfb was found\. \S/,
    );
    expect(output).toMatch(/\n\n1 passed, 0 failed\n$/);
  });
});
