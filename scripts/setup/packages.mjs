// @ts-check
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// Built-in modules only: this runs before anything is installed.

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, resolved?: string }} LockedPackage
 */

/** Exists while packages are being installed: one that is left over means that an installation was interrupted. */
const markerOf = (/** @type {string} */ projectFolder) => path.join(projectFolder, '.local', 'installing');

/**
 * What an installation lacks, or `null` when it matches the lock file. Compared package by package, since times
 * of files are meaningless after a clone.
 *
 * @param {string} projectFolder
 * @returns {string | null}
 */
function installationGap(projectFolder) {
  const installedFile = path.join(projectFolder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'no packages are installed yet';
  if (existsSync(markerOf(projectFolder))) return 'the last installation was interrupted';
  const locked = packagesOf(path.join(projectFolder, 'package-lock.json'));
  const installed = packagesOf(installedFile);
  for (const [name, { version, optional, devOptional, resolved }] of Object.entries(locked)) {
    if (name === '' || isDeletedWorkspace(projectFolder, name, resolved)) continue;
    const present = installed[name];
    // Packages for other platforms are locked and not installed.
    if (present === undefined && (optional === true || devOptional === true)) continue;
    const label = name.replace(/^node_modules\//, '');
    if (present?.version !== version) return `${label} is not the locked version`;
    if (!existsSync(path.join(projectFolder, name, 'package.json'))) return `${label} is missing`;
  }
  return null;
}

/**
 * Whether it is a package of this repository, or the link to it, whose folder was deleted: the workbench may be missing.
 *
 * @param {string} projectFolder
 * @param {string} name
 * @param {string | undefined} resolved
 */
function isDeletedWorkspace(projectFolder, name, resolved) {
  const folder = [name, resolved].find((one) => one?.startsWith('packages/') === true);
  return folder !== undefined && !existsSync(path.join(projectFolder, folder));
}

/**
 * Installs the packages of the lock file, if they are missing. Waits while another process installs.
 *
 * @param {string} projectFolder
 * @throws {Error} when the installation fails; npm has said why.
 */
export async function ensurePackages(projectFolder) {
  if (installationGap(projectFolder) === null) return;
  const unlock = await lockInstallation(projectFolder);
  try {
    const gap = installationGap(projectFolder);
    if (gap === null) return;
    console.log(`Installing packages (${gap}); this takes a minute or so.`);
    const marker = markerOf(projectFolder);
    mkdirSync(path.dirname(marker), { recursive: true });
    writeFileSync(marker, '');
    await install(projectFolder);
    rmSync(marker);
  } finally {
    unlock();
  }
}

/** @param {string} projectFolder */
async function install(projectFolder) {
  const [program, ...args] = npmCommand(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  const isWindows = process.platform === 'win32';
  const npm = spawn(program, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A new process group, because npm starts processes that would go on after Ctrl+C.
    detached: !isWindows,
    shell: program === 'npm' && isWindows,
  });
  const stop = () => {
    if (npm.pid === undefined) return;
    try {
      process.kill(isWindows ? npm.pid : -npm.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  const [code] = await once(npm, 'close');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
  if (code !== 0) throw new Error('npm ci failed; what it says above tells why.');
}

/**
 * Held by a socket, which ends with its process: a lock file would outlive a crash, and its process id may be another's by then.
 *
 * @param {string} projectFolder
 * @returns {Promise<() => void>} gives the lock back
 */
async function lockInstallation(projectFolder) {
  const name = `vestibule-install-${createHash('sha256').update(projectFolder).digest('hex').slice(0, 16)}`;
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`);
  for (let hasSaidSo = false; ; hasSaidSo = true) {
    const server = createServer().unref();
    const isMine = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(address, () => resolve(true));
    });
    if (isMine) return () => server.close();
    if (await isOpen(address)) {
      if (!hasSaidSo) console.log('Packages are being installed by another process; waiting for it.');
      await pause(500);
    } else rmSync(address, { force: true });
  }
}

/** @param {string} address */
const isOpen = (address) =>
  new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });

/**
 * The versions of Node.js that `engines` in package.json allows: without this check another version fails later, at some piece of
 * syntax.
 *
 * @param {string} projectFolder
 * @throws {Error} when this Node.js is another.
 */
export function checkNodeVersion(projectFolder, version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = engines.node.split(' || ').some((/** @type {string} */ range) => {
    const [wantedMajor = 0, wantedMinor = 0] = range.replace(/^\D+/, '').split('.').map(Number);
    const isLater = range.startsWith('>=') && major > wantedMajor;
    return isLater || (major === wantedMajor && minor >= wantedMinor);
  });
  if (!fits) throw new Error(`Node.js ${engines.node} is needed; this is ${version}.`);
}

/**
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/**
 * How to run npm by the node that runs us: the npm that started this script, else the one on the path.
 *
 * @param {readonly string[]} args
 * @returns {[string, ...string[]]}
 */
export function npmCommand(args) {
  const npm = process.env['npm_execpath'];
  return npm?.endsWith('.js') === true ? [process.execPath, npm, ...args] : ['npm', ...args];
}
