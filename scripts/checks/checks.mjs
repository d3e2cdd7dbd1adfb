// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builds } from '../setup/build.mjs';
import { chromiumPath } from '../setup/debian.mjs';
import { runBrowsers } from './browsers.mjs';
import { jestCounts, oneCheck, playwrightCounts, sum } from './counts.mjs';
import { runManagers, tableReporter } from './managers.mjs';
import { runTool } from './tool.mjs';

/**
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {import('./tool.mjs').ToolOptions} ToolOptions
 * @typedef {{
 *   name: string,
 *   says: string,
 *   debian: readonly string[],
 *   isLong?: boolean,
 *   run: (quiet: boolean) => Promise<Counts>,
 * }} Check `isLong`: it runs when it is named, and in `npm run test:all`
 */

/** What the journeys run in; WebKit draws on a screen in memory. */
const browsers = ['chromium', 'firefox-esr', 'webkit2gtk-driver', 'xvfb'];

/** The web server, and its module for files that are compressed already. */
const nginx = ['nginx', 'libnginx-mod-http-brotli-static'];

/**
 * Everything that can be asked of the project, in the order in which it is reported.
 *
 * @param {string} projectFolder
 * @returns {readonly Check[]}
 */
export function allChecks(projectFolder) {
  const reports = mkdtempSync(path.join(tmpdir(), 'vestibule-reports-'));
  const report = (/** @type {string} */ name) => path.join(reports, `${name}.json`);
  process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
  /** @type {(script: string, args: readonly string[], options: ToolOptions) => Promise<boolean>} */
  const tool = (script, args, options) => runTool(projectFolder, script, args, options);
  const built = async (/** @type {boolean} */ quiet) => {
    for (const [script, ...args] of Object.values(builds))
      if (!(await tool(script, args, { quiet }))) return false;
    return true;
  };
  /** Then the journeys start Firefox, too, for its password manager. */
  const isLong = process.env['TEST_LONG'] === '1';
  return [
    {
      name: 'types',
      says: 'TypeScript, strict',
      debian: [],
      run: async (quiet) =>
        // The native compiler, in a quarter of the time. Lint and the build need version 6, whose compiler is a library.
        oneCheck(await tool('node_modules/typescript7/bin/tsc', ['--noEmit', '-p', '.'], { quiet })),
    },
    {
      name: 'contract',
      says: 'generated types are those of openapi.yaml',
      debian: [],
      run: async (quiet) => oneCheck(await tool('packages/contract/generate.mjs', ['--check'], { quiet })),
    },
    {
      name: 'lint',
      says: 'import directions, file kinds, house rules',
      debian: [],
      run: async (quiet) =>
        oneCheck(await tool('node_modules/eslint/bin/eslint.js', ['.', '--max-warnings', '0'], { quiet })),
    },
    {
      name: 'format',
      says: 'prettier',
      debian: [],
      run: async (quiet) =>
        oneCheck(
          await tool('node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.'], {
            quiet,
          }),
        ),
    },
    {
      name: 'build',
      says: 'page and service, for production',
      debian: [],
      run: async (quiet) => oneCheck(await built(quiet)),
    },
    {
      name: 'unit',
      says: 'jest: units, sagas, components, service, local environment',
      debian: ['postgresql', ...nginx],
      run: async (quiet) => {
        // jest leaves one processor free, which halves its speed where there are two.
        const args = ['--maxWorkers=100%', '--json', '--outputFile', report('unit')];
        // PGlite loads itself with import(), which jest refuses without this.
        const env = {
          NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules --no-warnings`,
        };
        const succeeded = await tool('node_modules/jest/bin/jest.js', args, { quiet, env });
        return jestCounts(report('unit'), succeeded);
      },
    },
    {
      name: 'bytes',
      says: 'what /login loads, against its budget',
      debian: ['chromium'],
      run: async (quiet) => oneCheck(await tool('scripts/bench.mjs', ['--bytes'], { quiet })),
    },
    {
      name: 'journeys',
      says: 'Playwright in Chromium, against the real service',
      debian: ['chromium', 'postgresql', ...nginx, ...(isLong ? ['firefox-esr'] : [])],
      run: async (quiet) => {
        const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report('journeys'), CHROMIUM_PATH: chromiumPath };
        const args = ['test', `--reporter=line,json,${tableReporter}`];
        const succeeded = await tool('node_modules/@playwright/test/cli.js', args, { quiet, env });
        return playwrightCounts(report('journeys'), succeeded);
      },
    },
    {
      name: 'browsers',
      says: 'sign-ins and a set-up in Firefox and WebKit',
      debian: [...browsers, 'postgresql'],
      run: async () => await runBrowsers(tool, report, false),
    },
    {
      name: 'engines',
      says: 'the core journeys in Chromium, Firefox and WebKit, their password managers, and the tables',
      debian: [...browsers, 'postgresql'],
      isLong: true,
      run: async () => sum([await runBrowsers(tool, report, true), await runManagers(tool, report)]),
    },
    {
      name: 'operating',
      says: 'docs/operations.md followed in a fresh Debian that boots',
      debian: ['debootstrap', 'systemd-container'],
      isLong: true,
      run: async (quiet) =>
        oneCheck((await built(quiet)) && (await tool('scripts/operating.mjs', [], { quiet }))),
    },
    {
      name: 'soak',
      says: 'weeks of fifty tabs, in virtual time',
      debian: [],
      isLong: true,
      run: async (quiet) => oneCheck(await tool('scripts/soak.mjs', [], { quiet })),
    },
    {
      name: 'faults',
      says: 'sign-ins under load while processes, PostgreSQL, its disk and mails fail',
      debian: ['postgresql', ...nginx],
      isLong: true,
      run: async (quiet) => oneCheck(await tool('scripts/faults.mjs', [], { quiet })),
    },
  ];
}
