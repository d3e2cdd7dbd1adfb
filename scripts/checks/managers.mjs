// @ts-check
import { chromiumPath } from '../setup/debian.mjs';
import { playwrightCounts } from './counts.mjs';

/** @typedef {import('./tool.mjs').ToolOptions} ToolOptions */

/** Prints what the journeys note for a table: one of faulty answers, one of password managers. */
export const tableReporter = './__tests__/journeys/support/tableReporter.ts';

/**
 * What the password managers of Chromium and Firefox do on our screens, with the table.
 *
 * @param {(script: string, args: readonly string[], options: ToolOptions) => Promise<boolean>} tool
 * @param {(name: string) => string} report path of a report
 */
export async function runManagers(tool, report) {
  const file = report('managers');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CHROMIUM_PATH: chromiumPath, TEST_LONG: '1' };
  const args = [
    'test',
    `--reporter=line,json,${tableReporter}`,
    '--workers=1',
    '/kept-logins.spec.ts',
    '/phones.spec.ts',
  ];
  const succeeded = await tool('node_modules/@playwright/test/cli.js', args, { quiet: true, env });
  return playwrightCounts(file, succeeded);
}
