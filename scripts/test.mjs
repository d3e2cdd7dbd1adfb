// @ts-check
// `npm test`: everything that must hold, from a fresh clone on. `npm test -- unit lint` runs those checks only.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allChecks } from './checks/checks.mjs';
import { oneCheck, sum } from './checks/counts.mjs';
import { ensureDebianPackages } from './setup/debian.mjs';
import { checkNodeVersion, ensurePackages } from './setup/packages.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** These wait for nothing and use one core each: together they take as long as the slowest. */
const sideBySide = ['types', 'contract', 'lint', 'format'];

/** @typedef {import('./checks/checks.mjs').Check} Check */

/** @param {readonly string[]} names */
function chosenChecks(names) {
  const checks = allChecks(projectFolder);
  const unknown = names.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `No check is called '${unknown}'. There are: ${checks.map(({ name }) => name).join(', ')}`,
    );
  }
  return names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name));
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

/** @param {Awaited<ReturnType<typeof timed>>[]} results */
function printSummary(results) {
  console.log('\nTypes, contract, lint, format, build and bytes count as one check each.\n');
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
  const checks = chosenChecks(process.argv.slice(2));
  ensureDebianPackages([...new Set(checks.flatMap(({ debian }) => debian))]);
  const together = checks.filter(({ name }) => sideBySide.includes(name));
  const results = await Promise.all(together.map((check) => timed(check, true)));
  // The rest needs both cores, the build of the one before it, or the screen.
  for (const check of checks.filter(({ name }) => !sideBySide.includes(name))) {
    results.push(await timed(check, false));
  }
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
