// @ts-check
import { existsSync } from 'node:fs';

/**
 * A check of the project: an npm script of `package.json`, or of that of a workspace.
 *
 * @typedef {{
 *   name: string,
 *   says: string,
 *   script: string,
 *   workspace?: string,
 *   args?: readonly string[],
 *   env?: Readonly<Record<string, string>>,
 *   counts?: boolean,
 *   onlyWith?: 'long' | 'all',
 *   needs?: readonly string[],
 *   uses?: readonly string[],
 * }} Check
 *
 * - `counts`: it writes its counts to `TEST_COUNTS`; any other is one question and counts as one.
 * - `onlyWith`: it runs when it is named, with `--all`, and if it is `long` also with `--long`.
 * - `needs`: programs without which it cannot run (`scripts/setup/needs.mjs`); `uses`: without which a part of it is left out.
 */

const countReporter = './scripts/checks/countReporter.cjs';

/** @type {readonly Check[]} */
const short = [
  { name: 'types', says: 'TypeScript, strict', script: 'typecheck' },
  {
    name: 'contract',
    says: 'openapi.yaml and its types are those of its parts',
    script: 'contract:types',
    args: ['--check'],
  },
  {
    name: 'lint',
    says: 'import directions, file kinds, conventions',
    script: 'lint',
  },
  { name: 'format', says: 'prettier', script: 'format:check' },
  {
    name: 'texts',
    says: 'translations: placeholders and plural forms; missing ones are listed',
    script: 'texts:check',
  },
  { name: 'build', says: 'page and service, for production', script: 'build' },
  {
    name: 'unit',
    says: 'jest: units, sagas, components, service, local environment',
    script: 'unit',
    // jest leaves one processor free, which halves its speed where there are two.
    args: ['--maxWorkers=100%', '--reporters=default', `--reporters=${countReporter}`],
    counts: true,
    uses: ['postgresql', 'nginx', 'caddy', 'pgbouncer', 'promtool', 'authlib'],
  },
  {
    name: 'bytes',
    says: 'what /login loads, against its budget',
    script: 'bytes',
    needs: ['chromium'],
  },
  {
    name: 'journeys',
    says: 'Playwright in Chromium, against the real service',
    script: 'journeys',
    args: [`--reporter=line,${countReporter}`],
    counts: true,
    needs: ['chromium', 'postgresql'],
    uses: ['nginx', 'apache', 'authlib'],
  },
];

const workbench = new URL('../../packages/workbench/checks.mjs', import.meta.url);

/** @type {readonly Check[]} In the order in which they are reported. */
export const checks = [...short, ...(existsSync(workbench) ? (await import(workbench.href)).checks : [])];
