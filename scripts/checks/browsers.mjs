// @ts-check
import { chromiumPath } from '../setup/debian.mjs';
import { playwrightCounts, sum } from './counts.mjs';

/** @typedef {import('./tool.mjs').ToolOptions} ToolOptions */

/**
 * In Firefox and WebKit: a sign-in with a password and one with a second step.
 *
 * @param {(script: string, args: readonly string[], options: ToolOptions) => Promise<boolean>} tool
 * @param {(name: string) => string} report path of a report
 * @param {boolean} quiet
 */
export async function runBrowsers(tool, report, quiet) {
  const runs = ['firefox', 'webkit'].map(async (engine) => {
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
      '--grep=@engines',
    ];
    const succeeded = await tool('node_modules/@playwright/test/cli.js', args, { quiet, env });
    return playwrightCounts(file, succeeded);
  });
  return sum(await Promise.all(runs));
}
