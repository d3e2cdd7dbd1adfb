// @ts-check

/**
 * A check of the project: an npm script of `package.json`.
 *
 * @typedef {{
 *   name: string,
 *   says: string,
 *   script: string,
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
/** Prints what the journeys note for a table: one of faults, one of password managers. */
const tableReporter = './__tests__/journeys/support/tableReporter.ts';

/** @type {readonly Check[]} In the order in which they are reported. */
export const checks = [
  { name: 'types', says: 'TypeScript, strict', script: 'typecheck' },
  {
    name: 'contract',
    says: 'generated types are those of openapi.yaml',
    script: 'contract:check',
  },
  {
    name: 'lint',
    says: 'import directions, file kinds, conventions',
    script: 'lint',
  },
  { name: 'format', says: 'prettier', script: 'format:check' },
  { name: 'build', says: 'page and service, for production', script: 'build' },
  {
    name: 'unit',
    says: 'jest: units, sagas, components, service, local environment',
    script: 'unit',
    // jest leaves one processor free, which halves its speed where there are two.
    args: ['--maxWorkers=100%', '--reporters=default', `--reporters=${countReporter}`],
    counts: true,
    uses: ['postgresql', 'nginx', 'pgbouncer'],
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
    args: [`--reporter=line,${tableReporter},${countReporter}`],
    counts: true,
    needs: ['chromium', 'postgresql'],
    uses: ['nginx'],
  },
  ...['firefox', 'webkit'].map((engine) => ({
    name: engine,
    says: `sign-ins and a set-up in ${engine === 'firefox' ? 'Firefox' : 'WebKit'}`,
    script: 'journeys',
    args: ['--grep=@engines', '--workers=1', `--reporter=line,${countReporter}`],
    env: { JOURNEYS_ENGINE: engine, TEST_LONG: '1' },
    counts: true,
    onlyWith: /** @type {const} */ ('long'),
    needs: [engine, 'postgresql'],
  })),
  {
    name: 'orca',
    says: 'what a screen reader says in Chromium and Firefox',
    script: 'journeys',
    args: ['__tests__/journeys/screen-reader', '--workers=1', `--reporter=line,${countReporter}`],
    env: { JOURNEYS_READER: 'orca' },
    counts: true,
    onlyWith: 'long',
    needs: ['orca', 'chromium', 'firefox', 'postgresql'],
  },
  {
    name: 'engines',
    says: 'the core journeys in Chromium, Firefox and WebKit, their password managers, and the tables',
    script: 'engines',
    counts: true,
    onlyWith: 'all',
    needs: ['chromium', 'firefox', 'webkit', 'postgresql'],
  },
  {
    name: 'operating',
    says: 'docs/operations.md followed in a fresh Debian that boots',
    script: 'operating',
    onlyWith: 'long',
    needs: ['root', 'debootstrap'],
  },
  {
    name: 'trials',
    says: 'npm start and npm test on other machines: users, programs, Node.js, paths',
    script: 'trials',
    onlyWith: 'all',
    needs: ['root', 'debootstrap'],
  },
  { name: 'soak', says: 'weeks of fifty tabs, in virtual time', script: 'soak', onlyWith: 'all' },
  {
    name: 'faults',
    says: 'sign-ins under load while processes, PostgreSQL, its disk and mails fail',
    script: 'faults',
    onlyWith: 'all',
    needs: ['postgresql', 'nginx'],
  },
];
