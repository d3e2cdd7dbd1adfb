// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { chromiumPath } from '../setup/debian.mjs';
import { playwrightCounts, sum } from './counts.mjs';

/**
 * @typedef {import('./tool.mjs').ToolOptions} ToolOptions
 * @typedef {{ file: string, tests: { results: { status: string }[], annotations: { type: string, description?: string }[] }[], title: string }} Spec
 * @typedef {{ specs: Spec[], suites?: Suite[] }} Suite
 */

/** What a person must be able to do in every browser, and the journeys that do it. */
const core = {
  'Sign-in with a password': ['password-sign-in', 'refused-sign-in'],
  'Google and Microsoft, every opener policy': [
    'provider-sign-in',
    'provider-window',
    'provider-closed',
    'provider-refused',
    'provider-start',
  ],
  'Second step, code boxes': ['challenge-boxes', 'challenge-calls', 'challenge-entry', 'challenge-refused'],
  'Set-up of the second step': [
    'two-step-set-up',
    'two-step-setup-mode',
    'two-step-life',
    'two-step-turn-off',
  ],
  'Time limit of a proof': ['two-step-period'],
  'Change and reset of a password': ['password-change', 'password-reset'],
  'One-time links': ['one-time-links'],
  'Account settings': ['account-settings'],
  'Frames of the same and of another site': ['embedded', 'embedded-sites'],
  'Many tabs, back/forward cache': ['session-several-tabs'],
  'Sign-out': ['leaving'],
  'Refresh under a lock': ['session-renewal'],
  'Session cookie, refused and malformed': ['session-cookie'],
};

const engines = /** @type {const} */ (['chromium', 'firefox', 'webkit']);

/**
 * Journeys in Firefox and WebKit: a sign-in with a password and one with a second step. The whole: every core journey, in Chromium too,
 * and the table of docs/browsers.md.
 *
 * @param {(script: string, args: readonly string[], options: ToolOptions) => Promise<boolean>} tool
 * @param {(name: string) => string} report path of a report
 * @param {boolean} whole
 */
export async function runBrowsers(tool, report, whole) {
  const chosen = whole
    ? Object.values(core).flatMap((names) => names.map((name) => `/${name}.spec.ts`))
    : ['--grep=@engines'];
  const run = async (/** @type {string} */ engine) => {
    const file = report(`browsers-${engine}`);
    const env = {
      JOURNEYS_ENGINE: engine,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      CHROMIUM_PATH: chromiumPath,
      TEST_LONG: '1',
    };
    const args = [
      'test',
      '--reporter=line,json',
      '--workers=1',
      `--output=test-results/${engine}`,
      ...chosen,
    ];
    const succeeded = await tool('node_modules/@playwright/test/cli.js', args, { quiet: true, env });
    return playwrightCounts(file, succeeded);
  };
  if (!whole) return sum(await Promise.all(['firefox', 'webkit'].map(run)));
  const counts = [await run('chromium'), ...(await Promise.all(['firefox', 'webkit'].map(run)))];
  printTable((engine) => specsOf(report(`browsers-${engine}`)));
  return sum(counts);
}

/**
 * @param {string} file
 * @returns {readonly Spec[]}
 */
function specsOf(file) {
  if (!existsSync(file)) return [];
  const all = (/** @type {Suite} */ { specs, suites = [] }) => [...specs, ...suites.flatMap(all)];
  return JSON.parse(readFileSync(file, 'utf8')).suites.flatMap(all);
}

/** @param {(engine: string) => readonly Spec[]} specsIn */
function printTable(specsIn) {
  const statusOf = (/** @type {Spec} */ { tests }) => tests[0]?.results.at(-1)?.status;
  const specs = new Map(engines.map((engine) => [engine, specsIn(engine)]));
  console.log(`\n| journeys | ${engines.join(' | ')} |\n| --- | ${engines.map(() => '---').join(' | ')} |`);
  for (const [what, names] of Object.entries(core)) {
    const cells = engines.map((engine) => {
      const own =
        specs.get(engine)?.filter(({ file }) => names.some((name) => file === `${name}.spec.ts`)) ?? [];
      const count = (/** @type {string} */ status) => own.filter((spec) => statusOf(spec) === status).length;
      const skipped = count('skipped');
      return `${count('passed')} of ${own.length}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    });
    console.log(`| ${what} | ${cells.join(' | ')} |`);
  }
  for (const engine of engines) {
    for (const spec of specs.get(engine) ?? []) {
      if (statusOf(spec) !== 'skipped') continue;
      const why =
        spec.tests[0]?.annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given';
      console.log(`${engine} skips '${spec.title}' (${spec.file}): ${why}`);
    }
  }
}
