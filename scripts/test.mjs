// @ts-check
// `npm test`: what must hold, from a fresh clone on. `npm test -- unit lint` runs those checks only. `--long` adds the tests that
// take long, `--all` also every example of every property and the long checks. `--complete`, for CI, fails where a program is
// missing; without it, the checks that need the program are left out and listed at the end.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks as allChecks } from './checks/checks.mjs';
import { ensureNeeds, explainMissing } from './setup/needs.mjs';
import { checkNodeVersion, ensurePackages, npmCommand } from './setup/packages.mjs';
import { findChromium } from './setup/programs.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const options = ['--all', '--long', '--complete'];

/** These run two at a time, in this order; `unit` and `bytes` wait for the build. */
const twoAtOnce = ['lint', 'build', 'types', 'format', 'contract', 'texts', 'unit', 'bytes'];

/**
 * @typedef {import('./checks/checks.mjs').Check} Check
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ check: Check, counts: Counts, seconds: string }} Result
 */

/**
 * @param {readonly string[]} names
 * @param {{ long: boolean, all: boolean }} asked the optional checks that run when none is named
 */
function chosenChecks(names, asked) {
  const unknown = names.find((name) => !allChecks.some((check) => check.name === name));
  if (unknown !== undefined) {
    const known = allChecks.map(({ name }) => name).join(', ');
    throw new Error(`No check is called '${unknown}'. There are: ${known}`);
  }
  return allChecks.filter(({ name, onlyWith }) =>
    names.length === 0 ? onlyWith === undefined || asked[onlyWith] : names.includes(name),
  );
}

/**
 * @param {Check} check
 * @param {'inherit' | 'stream' | 'buffer'} output `inherit`: the check writes to the terminal itself. `stream`: its output is printed as
 *   it arrives. `buffer`: its output is printed when it ends.
 * @returns {Promise<Result>}
 */
async function run(check, output) {
  const started = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-counts-'));
  const file = path.join(folder, 'counts.json');
  const [program, ...args] = npmCommand([
    'run',
    '--silent',
    check.script,
    ...(check.workspace === undefined ? [] : [`--workspace=${check.workspace}`]),
    '--',
    ...(check.args ?? []),
  ]);
  const child = spawn(program, args, {
    env: { ...process.env, ...check.env, TEST_COUNTS: file },
    stdio: output === 'inherit' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    shell: program === 'npm' && process.platform === 'win32',
  });
  /** @type {Buffer[]} */
  const held = [];
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    child[name]?.on('data', (chunk) => (output === 'stream' ? process[name].write(chunk) : held.push(chunk)));
  const succeeded = await new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  process.stdout.write(Buffer.concat(held));
  const counts = countsOf(check, file, succeeded);
  rmSync(folder, { recursive: true });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`-- ${check.name}: ${counts.failed > 0 ? 'FAILED' : 'passed'} (${seconds} s)`);
  return { check, counts, seconds };
}

/**
 * A runner that exits with an error without a failed test, or runs no test, has failed.
 *
 * @param {Check} check
 * @param {string} file
 * @param {boolean} succeeded
 * @returns {Counts}
 */
export function countsOf({ counts: hasCounts = false }, file, succeeded) {
  const one = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  if (!hasCounts) return one;
  /** @type {Counts} */
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // It ended before its first test.
  }
  return counts.failed === 0 && (!succeeded || counts.passed === 0) ? { ...counts, failed: 1 } : counts;
}

/**
 * Runs checks two at a time, in their order.
 *
 * @param {readonly Check[]} checks
 */
async function twoAtATime(checks) {
  const waiting = [...checks];
  /** @type {Result[]} */
  const results = [];
  /** @type {Promise<unknown>} */
  let built = Promise.resolve();
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (check.name === 'unit' || check.name === 'bytes') await built;
      const running = run(check, check.name === 'unit' ? 'stream' : 'buffer');
      if (check.name === 'build') built = running;
      results.push(await running);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

/**
 * @param {readonly Result[]} results
 * @param {readonly { check: Check, name: string, whole: boolean }[]} leftOut
 */
function printSummary(results, leftOut) {
  console.log('\nA check that is one question, such as types or lint, counts as one.\n');
  for (const { check, counts, seconds } of results) {
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const figures = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
    console.log(`${check.name.padEnd(9)} ${figures.padEnd(34)} ${seconds.padStart(6)} s  ${check.says}`);
  }
  if (leftOut.length > 0) console.log('\nNot run on this machine:\n');
  for (const { check, name, whole } of leftOut)
    console.log(`${check.name.padEnd(9)} ${whole ? '' : 'the part with '}${name}: ${explainMissing(name)}`);
}

/** A folder for all temporary files of the run, removed at its end; also for PostgreSQL and nginx, which run as other users. */
function useTemporaryFolder() {
  // Short: the path of a socket in it may have 104 characters on macOS.
  const folder = mkdtempSync(path.join(tmpdir(), 'v-'));
  chmodSync(folder, 0o755);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
}

async function main() {
  checkNodeVersion(projectFolder);
  await ensurePackages(projectFolder);
  process.chdir(projectFolder);
  useTemporaryFolder();
  const words = process.argv.slice(2);
  const all = words.includes('--all') || process.env['TEST_ALL'] === '1';
  if (all) process.env['TEST_ALL'] = '1';
  const long = all || words.includes('--long');
  if (long) process.env['TEST_LONG'] = '1';
  const chosen = chosenChecks(
    words.filter((word) => !options.includes(word)),
    { long, all },
  );
  const named = chosen.flatMap(({ needs = [], uses = [] }) => [...needs, ...uses]);
  const missing = ensureNeeds([...new Set(named)]);
  if (words.includes('--complete') && missing.length > 0)
    throw new Error(missing.map((name) => `${name}: ${explainMissing(name)}`).join('\n'));
  const chromium = findChromium();
  if (chromium !== null) process.env['CHROMIUM_PATH'] = chromium;

  const lacks = (/** @type {readonly string[]} */ names = []) =>
    names.filter((name) => missing.includes(name));
  const checks = chosen.filter(({ needs }) => lacks(needs).length === 0);
  const leftOut = chosen.flatMap((check) => [
    ...lacks(check.needs).map((name) => ({ check, name, whole: true })),
    ...lacks(check.uses).map((name) => ({ check, name, whole: false })),
  ]);
  const paired =
    checks.length === 1 ? [] : twoAtOnce.flatMap((name) => checks.filter((check) => check.name === name));
  const results = await twoAtATime(paired);
  // A check that runs alone, or needs the build and both processors, writes to the terminal itself.
  for (const check of checks.filter((one) => !paired.includes(one)))
    results.push(await run(check, 'inherit'));
  results.sort((one, other) => checks.indexOf(one.check) - checks.indexOf(other.check));
  printSummary(results, leftOut);
  const total = (/** @type {'passed' | 'failed'} */ kind) =>
    results.reduce((sum, { counts }) => sum + counts[kind], 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
  process.exitCode = total('failed') > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    console.log('\n0 passed, 1 failed');
    process.exitCode = 1;
  });
}
