// @ts-check
import { parseArgs } from 'node:util';

export const usage = `npm run bench -w packages/workbench -- OPTIONS
                    bytes and requests of every screen, times of /login next to two yardsticks
  --explain         also what each package costs inside the login bundle
  --runs=3          other than nine runs
  --dist=<folder>   another production build, as it is`;

/**
 * @typedef {object} Options
 * @property {boolean} explain
 * @property {boolean} help
 * @property {number} runs - loads of each page and profile that go into a median
 * @property {string | null} dist - a build to measure as it is; `null`: the project's own, rebuilt when stale
 */

/**
 * @param {string[]} args
 * @returns {Options}
 * @throws {Error} naming what it does not understand.
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      explain: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      runs: { type: 'string', default: '9' },
      dist: { type: 'string' },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs must be 1 or more.\n\n${usage}`);
  return {
    explain: values.explain,
    help: values.help,
    runs,
    dist: values.dist ?? null,
  };
}
