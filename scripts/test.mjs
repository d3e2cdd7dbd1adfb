// @ts-check
// `npm test`: what must hold, from a fresh clone on. `npm test -- unit lint` runs those checks only. `--long` adds the tests that
// take long, as CI does; `--all` also every example of every property and the soak.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allChecks } from './checks/checks.mjs';
import { oneCheck, sum } from './checks/counts.mjs';
import { ensureDebianPackages } from './setup/debian.mjs';
import { checkNodeVersion, ensurePackages } from './setup/packages.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** These use one core each, and `bytes` waits for the build. They run two at a time, the longest first. */
const singleThreaded = ['lint', 'build', 'types', 'format', 'contract', 'bytes'];

/** @typedef {import('./checks/checks.mjs').Check} Check */

/**
 * @param {readonly string[]} names
 * @param {boolean} all
 */
function chosenChecks(names, all) {
  const checks = allChecks(projectFolder);
  const unknown = names.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `No check is called '${unknown}'. There are: ${checks.map(({ name }) => name).join(', ')}`,
    );
  }
  return checks.filter(({ name, isLong }) => (names.length === 0 ? all || !isLong : names.includes(name)));
}

/**
 * @param {Check} check
 * @param {boolean} quiet
 */
async function timed(check, quiet) {
  const started = performance.now();
  const counts = await check.run(quiet).catch((error) => {
    console.error(error);
    return oneCheck(false);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const verdict = counts.failed > 0 ? 'FAILED' : 'passed';
  console.log(`-- ${check.name}: ${verdict} (${seconds} s)`);
  return { check, counts, seconds };
}

/**
 * Runs checks two at a time, in their order.
 *
 * @param {readonly Check[]} checks
 */
async function twoAtATime(checks) {
  const waiting = [...checks];
  /** @type {Awaited<ReturnType<typeof timed>>[]} */
  const results = [];
  /** @type {Promise<unknown>} */
  let built = Promise.resolve();
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (check.name === 'bytes') await built;
      const running = timed(check, true);
      if (check.name === 'build') built = running;
      results.push(await running);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

/** @param {Awaited<ReturnType<typeof timed>>[]} results */
function printSummary(results) {
  console.log('\nTypes, contract, lint, format, build, bytes and the soak count as one check each.\n');
  for (const { check, counts, seconds } of results) {
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const figures = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
    console.log(`${check.name.padEnd(9)} ${figures.padEnd(34)} ${seconds.padStart(6)} s  ${check.says}`);
  }
}

async function main() {
  checkNodeVersion(projectFolder);
  ensurePackages(projectFolder);
  process.chdir(projectFolder);
  const words = process.argv.slice(2);
  const all = words.includes('--all') || process.env['TEST_ALL'] === '1';
  if (all) process.env['TEST_ALL'] = '1';
  if (all || words.includes('--long')) process.env['TEST_LONG'] = '1';
  const checks = chosenChecks(
    words.filter((word) => word !== '--all' && word !== '--long'),
    all,
  );
  ensureDebianPackages([...new Set(checks.flatMap(({ debian }) => debian))]);
  const paired = singleThreaded.flatMap((name) => checks.filter((check) => check.name === name));
  const results = await twoAtATime(paired);
  // The rest needs both cores, or the build.
  for (const check of checks.filter((one) => !paired.includes(one))) results.push(await timed(check, false));
  results.sort((one, other) => checks.indexOf(one.check) - checks.indexOf(other.check));
  printSummary(results);
  const { passed, failed } = sum(results.map(({ counts }) => counts));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  console.log('\n0 passed, 1 failed');
  process.exitCode = 1;
});
