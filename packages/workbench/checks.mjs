// @ts-check

/** @typedef {import('../../scripts/checks/checks.mjs').Check} Check */

const workspace = '@vestibule/workbench';

/** The checks that `npm test` also has where this package is present. @type {readonly Check[]} */
export const checks = [
  ...['firefox', 'webkit'].map((engine) => ({
    name: engine,
    says: `sign-ins and a set-up in ${engine === 'firefox' ? 'Firefox' : 'WebKit'}`,
    script: 'journeys',
    args: ['--grep=@engines', '--workers=1', '--reporter=line,./scripts/checks/countReporter.cjs'],
    env: { JOURNEYS_ENGINE: engine, TEST_LONG: '1' },
    counts: true,
    onlyWith: /** @type {const} */ ('long'),
    needs: [engine, 'postgresql'],
  })),
  {
    name: 'desktop',
    says: 'what Orca says and the password managers of Chromium and Firefox do',
    script: 'journeys',
    args: [
      '--grep=@desktop',
      '--workers=1',
      '--reporter=line,./__tests__/journeys/support/tableReporter.ts,./scripts/checks/countReporter.cjs',
    ],
    env: { JOURNEYS_DESKTOP: '1' },
    counts: true,
    onlyWith: 'all',
    needs: ['orca', 'chromium', 'firefox', 'postgresql'],
  },
  {
    name: 'engines',
    says: 'the core journeys in Chromium, Firefox and WebKit, as a table',
    script: 'engines',
    workspace,
    counts: true,
    onlyWith: 'all',
    needs: ['chromium', 'firefox', 'webkit', 'postgresql'],
  },
  {
    name: 'operating',
    says: 'docs/operations.md followed in a fresh Debian that boots',
    script: 'operating',
    workspace,
    onlyWith: 'long',
    needs: ['root', 'debootstrap'],
  },
  {
    name: 'deletion',
    says: 'each extension, and all of them, taken away without another change',
    script: 'deletion',
    workspace,
    onlyWith: 'long',
    needs: ['chromium', 'postgresql'],
  },
  {
    name: 'trials',
    says: 'npm start and npm test on other machines: users, programs, Node.js, paths',
    script: 'trials',
    workspace,
    onlyWith: 'all',
    needs: ['root', 'debootstrap'],
  },
  { name: 'soak', says: 'weeks of fifty tabs, in virtual time', script: 'soak', workspace, onlyWith: 'all' },
  {
    name: 'faults',
    says: 'sign-ins under load while processes, PostgreSQL, its disk and mails fail',
    script: 'faults',
    workspace,
    onlyWith: 'all',
    needs: ['postgresql', 'nginx'],
  },
];
