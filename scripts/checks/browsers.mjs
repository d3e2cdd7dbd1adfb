// @ts-check
import { spawnSync } from 'node:child_process';
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

/** The engines, and the packages of Debian that hold them. */
const engines = /** @type {const} */ ({
  chromium: 'chromium',
  firefox: 'firefox-esr',
  webkit: 'webkit2gtk-driver',
});

/** Ends a run whose browser hangs at every test, ms: several times what an engine takes on a busy machine. */
const longestRun = 45 * 60_000;

/**
 * Journeys in Firefox and WebKit: sign-ins with a password, a second step and a provider, and a set-up. The whole: every core journey, in
 * Chromium too, as a table (docs/development.md#browsers).
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
      `--global-timeout=${longestRun}`,
      `--output=test-results/${engine}`,
      ...chosen,
    ];
    const succeeded = await tool('node_modules/@playwright/test/cli.js', args, { quiet: true, env });
    return playwrightCounts(file, succeeded);
  };
  if (!whole) return sum(await Promise.all(['firefox', 'webkit'].map(run)));
  // Two at a time; WebKit takes as long as the others together.
  const [webkit, others] = await Promise.all([
    run('webkit'),
    run('chromium').then(async (chromium) => [chromium, await run('firefox')]),
  ]);
  console.log(tableOf(Object.keys(engines).map((engine) => report(`browsers-${engine}`))));
  return sum([webkit, ...others]);
}

/**
 * The results as a table, and below it every failed and skipped journey.
 *
 * @param {readonly string[]} reports of Chromium, Firefox and WebKit, written by Playwright's JSON reporter
 */
export function tableOf(reports) {
  const results = reports.map(resultsIn);
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const cell = (/** @type {readonly Result[]} */ own) => {
    const count = (/** @type {string} */ end) => own.filter((one) => one.end === end).length;
    const others = ['failed', 'skipped'].filter((end) => count(end) > 0).map((end) => `${count(end)} ${end}`);
    return [`${count('passed')} passed`, ...others].join(', ');
  };
  const names = Object.entries(engines).map(([name, debian]) => `${name} ${versionOf(debian)}`.trim());
  const rows = Object.entries(core).flatMap(([what, files]) =>
    files.map((file, place) => [
      place === 0 ? what : '',
      `\`${file}\``,
      ...results.map((all) => cell(all.filter((one) => one.file === `${file}.spec.ts`))),
    ]),
  );
  const notes = results.flatMap((all, place) =>
    all
      .filter(({ end }) => end !== 'passed')
      .map(
        ({ file, title, end, why }) => `- ${Object.keys(engines)[place]}, ${file}, '${title}': ${end}${why}`,
      ),
  );
  const heads = ['what', 'journeys', ...names];
  return [
    '',
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map(line),
    line(['', 'all', ...results.map(cell)]),
    '',
    ...notes,
  ].join('\n');
}

/** @typedef {{ file: string, title: string, end: 'passed' | 'failed' | 'skipped', why: string }} Result */

/**
 * A test that was not run, because the run was ended, has failed.
 *
 * @param {string} report
 * @returns {readonly Result[]}
 */
function resultsIn(report) {
  if (!existsSync(report)) return [];
  /** @type {(suite: Suite) => readonly Spec[]} */
  const all = ({ specs, suites = [] }) => [...specs, ...suites.flatMap(all)];
  return JSON.parse(readFileSync(report, 'utf8'))
    .suites.flatMap(all)
    .map((/** @type {Spec} */ { file, title, tests }) => {
      const status = tests[0]?.results.at(-1)?.status;
      const skip = tests[0]?.annotations.find(({ type }) => type === 'skip');
      if (status === 'passed') return { file, title, end: status, why: '' };
      if (status === 'skipped' && skip) return { file, title, end: status, why: `, ${skip.description}` };
      return { file, title, end: 'failed', why: status === undefined ? ', not run' : '' };
    });
}

/**
 * Nothing where the browser is not Debian's.
 *
 * @param {string} name of the package
 */
function versionOf(name) {
  const found = spawnSync('dpkg-query', ['--show', '--showformat=${source:Upstream-Version}', name]);
  return found.status === 0 ? String(found.stdout) : '';
}
