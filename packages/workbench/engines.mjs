// @ts-check
// The core journeys in Chromium, Firefox and WebKit, as a table (docs/development.md#browsers). Writes its counts to `TEST_COUNTS`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * @typedef {{ file: string, tests: { results: { status: string }[], annotations: { type: string, description?: string }[] }[], title: string }} Spec
 * @typedef {{ specs: Spec[], suites?: Suite[] }} Suite
 */

/** What a person must be able to do in every browser, and the journeys that do it. */
const core = {
  'Sign-in with a password': ['password-sign-in'],
  'Google and Microsoft, every opener policy': [
    'provider-sign-in',
    'provider-window',
    'provider-closed',
    'provider-start',
  ],
  'Second step, code boxes': ['challenge-boxes', 'challenge-entry', 'challenge-refused'],
  'Passkeys, as far as the browser has them': ['passkeys/passkeys-offered'],
  'Set-up of the second step': ['two-step-setup-mode', 'two-step-life'],
  'Change and reset of a password': ['password-change', 'password-reset'],
  'One-time links': ['one-time-links'],
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
 * Runs Playwright, and prints what it printed.
 *
 * @param {string} report path of the JSON report
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
async function playwright(report, args, env) {
  const counts = `${report}.counts`;
  const child = spawn(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--workers=1', ...args],
    {
      cwd: projectFolder,
      env: {
        ...process.env,
        ...env,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        TEST_COUNTS: counts,
        TEST_LONG: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  /** @type {Buffer[]} */
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(output));
  const result = existsSync(counts)
    ? JSON.parse(readFileSync(counts, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0 };
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}

async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-engines-'));
  const report = (/** @type {string} */ name) => path.join(folder, `${name}.json`);
  const reporters = 'line,json,./scripts/checks/countReporter.cjs';
  const files = Object.values(core).flatMap((names) => names.map((name) => `/${name}.spec.ts`));
  const run = (/** @type {string} */ engine) =>
    playwright(
      report(engine),
      [
        `--reporter=${reporters}`,
        `--global-timeout=${longestRun}`,
        `--output=test-results/${engine}`,
        ...files,
      ],
      { JOURNEYS_ENGINE: engine },
    );
  // Two at a time; WebKit takes as long as the others together.
  const [webkit, others] = await Promise.all([
    run('webkit'),
    run('chromium').then(async (chromium) => [chromium, await run('firefox')]),
  ]);
  console.log(tableOf(Object.keys(engines).map(report)));
  rmSync(folder, { recursive: true });
  const all = [webkit, ...others];
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ kind) =>
    all.reduce((total, counts) => total + counts[kind], 0);
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const file = process.env['TEST_COUNTS'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

/**
 * The results as a table, and below it every failed and skipped journey.
 *
 * @param {readonly string[]} reports of Chromium, Firefox and WebKit, written by Playwright's JSON reporter
 */
function tableOf(reports) {
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

await main();
