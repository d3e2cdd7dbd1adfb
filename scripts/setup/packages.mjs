// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Built-in modules only: this runs before anything is installed.

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} LockedPackage
 */

/**
 * What an installation lacks, or `null` when it is what the lock file says. Compared package by package, since times
 * of files say nothing after a clone.
 *
 * @param {string} projectFolder
 * @returns {string | null}
 */
export function installationGap(projectFolder) {
  const installedFile = path.join(projectFolder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'no packages are installed yet';
  const locked = packagesOf(path.join(projectFolder, 'package-lock.json'));
  const installed = packagesOf(installedFile);
  for (const [name, { version, optional, devOptional }] of Object.entries(locked)) {
    if (name === '') continue;
    const present = installed[name];
    // Packages for other platforms are locked and not installed.
    if (present === undefined && (optional === true || devOptional === true)) continue;
    if (present?.version !== version)
      return `${name.replace(/^node_modules\//, '')} is not the locked version`;
  }
  return null;
}

/**
 * Installs what the lock file says, if it is not there.
 *
 * @param {string} projectFolder
 * @throws {Error} when the installation fails; npm has said why.
 */
export function ensurePackages(projectFolder) {
  const gap = installationGap(projectFolder);
  if (gap === null) return;
  console.log(`Installing packages (${gap}); this takes a minute or so.`);
  const { status } = runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], projectFolder);
  if (status !== 0) throw new Error('npm ci failed; what it says above tells why.');
}

/**
 * The versions of Node.js that `engines` in package.json allows, checked in words of our own: without this an old
 * version fails later on some piece of syntax.
 *
 * @param {string} projectFolder
 * @throws {Error} when this Node.js is too old.
 */
export function checkNodeVersion(projectFolder) {
  const { engines } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  const [wantedMajor = 0, wantedMinor = 0] = engines.node.replace('>=', '').split('.').map(Number);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new Error(`Node.js ${engines.node} is needed; this is ${process.versions.node}.`);
}

/**
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/**
 * Runs npm by the node that runs us: the npm that started this script, else the one on the path.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
function runNpm(args, cwd) {
  const npm = process.env['npm_execpath'];
  return npm?.endsWith('.js') === true
    ? spawnSync(process.execPath, [npm, ...args], { cwd, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
}
