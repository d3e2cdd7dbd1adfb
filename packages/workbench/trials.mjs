// @ts-check
// `npm run trials -w packages/workbench [-- NAME…]`: `npm start` and `npm test` on machines other than this one, each in a clone of its own: another user,
// missing programs, other releases of Node.js, odd paths and line ends, interrupted and doubled installations, no IPv6, no resolver.
// Prints a table. Linux, as root: it hides files in mount namespaces.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** `nobody` and its group: no home, no rights. */
const user = 65_534;

const root = mkdtempSync(path.join(tmpdir(), 'vestibule-trials-'));
chmodSync(root, 0o755);
const empty = path.join(root, 'empty');
mkdirSync(empty);
/** npm's cache for all trials, so that the packages are fetched once. */
const home = path.join(root, 'home');

/** A unit test of the service, which needs PostgreSQL, and one of the application. */
const someTests = 'packages/service/__tests__/signIn.test.ts __tests__/features/auth/sign-in';

/** What programs are, for a trial that hides them. */
const programs = {
  Chromium: ['/usr/bin/chromium'],
  Firefox: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
  WebKit: ['/usr/bin/WebKitWebDriver'],
  Xvfb: ['/usr/bin/Xvfb'],
  PostgreSQL: ['/usr/lib/postgresql'],
  nginx: ['/usr/sbin/nginx'],
};

/**
 * @typedef {{ code: number | null, output: string }} Ended
 * @typedef {{ name: string, run: () => Promise<Ended>, expects: RegExp }} Trial `expects`: what the user must see at the end
 */

const green = /[1-9]\d* passed, 0 failed(?:, \d+ skipped)?\s*$/;
const started = /Ctrl\+C stops it\./;

/** @type {readonly Trial[]} */
const trials = [
  {
    name: 'without root, with everything',
    run: () => shell(clone(), 'npm test -- types contract build unit'),
    expects: green,
  },
  ...Object.entries(programs).map(([name, files]) => ({
    name: `without ${name}`,
    run: () => shell(clone(), checksWith(name), { hidden: files }),
    expects: name === 'PostgreSQL' ? green : /Not run on this machine:[^]*passed, 0 failed/,
  })),
  {
    name: 'without any of them',
    run: () =>
      shell(clone(), `npm test -- contract bytes journeys firefox webkit && npm run unit -- ${someTests}`, {
        hidden: Object.values(programs).flat(),
      }),
    expects: /Not run on this machine:[^]*passed, 0 failed[^]*Tests: +[1-9]\d* passed/,
  },
  ...['20.19.0', '22.13.0', '24', '26'].map((version) => ({
    name: `Node.js ${version}`,
    run: () => shell(clone(), 'npm test -- types contract build unit', { node: version }),
    expects: green,
  })),
  ...['21', '22.12.0', '23'].map((version) => ({
    name: `Node.js ${version}`,
    run: () => shell(clone(), 'node scripts/start.mjs', { node: version }),
    expects: /Node\.js .* is needed; this is \d/,
  })),
  {
    name: 'a path with a blank and an umlaut',
    run: () => shell(clone('mit Lücke'), `npm test -- contract build && npm run unit -- ${someTests}`),
    expects: /Tests: +[1-9]\d* passed/,
  },
  {
    name: 'two first starts at once',
    run: twoFirstStarts,
    expects: /Ctrl\+C stops it\.[^]*Ctrl\+C stops it\./,
  },
  { name: 'Ctrl+C in the first installation', run: interruptedInstallation, expects: started },
  {
    name: 'a clone with CRLF',
    run: () => shell(clone('crlf', ['-c', 'core.autocrlf=true']), 'npm test -- format contract'),
    expects: green,
  },
  {
    name: 'no IPv6',
    run: () => start(clone(), { before: 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6' }),
    expects: started,
  },
  { name: 'no resolver', run: () => start(clone(), { hidden: ['/etc/resolv.conf'] }), expects: started },
];

/** @param {string} name */
function checksWith(name) {
  if (name === 'PostgreSQL') return `npm test -- contract unit`;
  if (name === 'nginx') return 'npm test -- contract unit';
  return name === 'Chromium' ? 'npm test -- contract bytes' : 'npm test -- contract build firefox webkit';
}

/** @param {string} name @param {readonly string[]} options of `git clone` @returns its folder, of the unprivileged user */
function clone(name = 'clone', options = []) {
  const folder = path.join(mkdtempSync(path.join(root, 'trial-')), name);
  execFileSync('git', ['clone', '--quiet', ...options, projectFolder, folder]);
  execFileSync('chown', ['-R', `${user}:${user}`, path.dirname(folder)]);
  return folder;
}

/** @param {string} version @returns {string} the folder of that Node.js, from npm */
function nodeFolder(version) {
  const folder = path.join(root, `node-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const name = `node-${process.platform}-${process.arch}@${version}`;
    execFileSync('npm', ['install', '--no-save', '--force', name], { cwd: folder, stdio: 'ignore' });
  }
  return path.join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
}

/**
 * @typedef {{ hidden?: readonly string[], node?: string, before?: string, env?: Readonly<Record<string, string>> }} Machine
 *   files that are hidden, a version of Node.js, a command of root, variables
 */

/**
 * Starts a command as the unprivileged user, in new namespaces.
 *
 * @param {string} folder
 * @param {string} command
 * @param {Machine} machine
 */
function open(folder, command, { hidden = [], node, before = 'true', env = {} } = {}) {
  const hide = hidden
    .filter((file) => existsSync(file))
    .map((file) => `mount --bind ${statSync(file).isDirectory() ? empty : '/dev/null'} ${file}`);
  const isOffline = before !== 'true';
  const script = [
    'set -e',
    ...hide,
    ...(isOffline ? ['ip link set lo up'] : []),
    before,
    `exec setpriv --reuid=${user} --regid=${user} --clear-groups sh -c "$COMMAND"`,
  ].join('\n');
  return spawn('unshare', ['--mount', ...(isOffline ? ['--net'] : []), 'sh', '-c', script], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${node === undefined ? '' : `${nodeFolder(node)}:`}/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      LANG: 'C.UTF-8',
      // What Debian trusts, for releases of Node.js that are not Debian's.
      NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
      // npm's own news would be the last line.
      npm_config_update_notifier: 'false',
      COMMAND: command,
      ...env,
    },
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {RegExp} [until] ends the command once it has printed this
 * @returns {Promise<Ended>}
 */
function ended(child, until) {
  let output = '';
  return new Promise((resolve) => {
    const take = (/** @type {Buffer} */ chunk) => {
      output += String(chunk);
      if (until?.test(output)) stop(child, 'SIGTERM');
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal for its whole group, as Ctrl+C */
function stop({ pid = 0 }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has ended already.
  }
}

/** @param {string} folder @param {string} command @param {Machine} [machine] */
const shell = (folder, command, machine) => ended(open(folder, command, machine));

/**
 * Starts a trial. If it has no network, its packages are installed before. @param {string} folder @param {Machine} machine
 */
async function start(folder, machine) {
  await shell(folder, 'npm ci --loglevel=error');
  const port = String(4100 + readdirSync(root).length);
  return await ended(open(folder, 'npm start', { ...machine, env: { PORT: port } }), started);
}

async function twoFirstStarts() {
  const folder = clone();
  const starts = await Promise.all(
    ['4091', '4092'].map((PORT) => ended(open(folder, 'npm start', { env: { PORT } }), started)),
  );
  return { code: 0, output: starts.map(({ output }) => output).join('\n') };
}

async function interruptedInstallation() {
  const folder = clone();
  const first = open(folder, 'npm start');
  const end = ended(first);
  await pause(6000);
  stop(first, 'SIGINT');
  await end;
  await pause(1000);
  const { stdout: left } = spawnSync('pgrep', ['-u', String(user), '-a', '-f', folder], { encoding: 'utf8' });
  if (left !== '') return { code: 1, output: `These processes are left:\n${left}` };
  return await ended(open(folder, 'npm start', { env: { PORT: '4093' } }), started);
}

/** What a user reads last. @param {string} output */
function lastLines(output) {
  const [, notRun] = /Not run on this machine:\n\n([^]*?)\n\n/.exec(output) ?? [];
  const counts =
    output.match(/\d+ passed, \d+ failed|Tests: .*|Node\.js .* is needed.*|Ctrl\+C stops it\./g) ?? [];
  return [...(notRun?.split('\n') ?? []), counts.at(-1) ?? output.trim().split('\n').at(-1)].join('; ');
}

async function main() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('The trials need Linux and root.');
  mkdirSync(home);
  execFileSync('chown', [`${user}:${user}`, home]);
  const words = process.argv.slice(2);
  const chosen = trials.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const rows = [];
  for (const { name, run, expects } of chosen) {
    const started = performance.now();
    const { output } = await run();
    const passed = expects.test(output);
    if (!passed) console.log(`\n== ${name}\n${output.slice(-4000)}`);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    rows.push(`| ${name} | ${passed ? 'passed' : 'FAILED'} | ${seconds} s | ${lastLines(output)} |`);
    console.log(rows.at(-1));
  }
  const failed = rows.filter((row) => row.includes('| FAILED |')).length;
  console.log(
    ['', '| case | result | time | what the user sees |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  );
  console.log(`\n${rows.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

await main().finally(() => rmSync(root, { recursive: true, force: true }));
