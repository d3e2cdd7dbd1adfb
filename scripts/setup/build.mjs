// @ts-check
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Everything that the production build is made from. */
const sources = [
  'src',
  'public',
  'packages/client/src',
  'packages/contract/src',
  'scripts/build',
  'webpack.config.js',
  'tsconfig.json',
  'package-lock.json',
];

/**
 * Whether `dist/` is missing or older than anything that it is made from.
 *
 * @param {string} projectFolder
 */
export function isBuildStale(projectFolder) {
  const built = changedAt(path.join(projectFolder, 'dist', 'index.html'));
  return sources.some((source) => newest(path.join(projectFolder, source)) >= built);
}

/**
 * Makes the page (`dist`) by webpack, or the service (`packages/service/dist`) by the TypeScript compiler: script and arguments.
 *
 * @type {Readonly<Record<'page' | 'service', readonly [string, ...string[]]>>}
 */
const builds = {
  page: ['node_modules/webpack/bin/webpack.js', '--mode', 'production'],
  service: ['node_modules/typescript7/bin/tsc', '--build', 'packages/service/tsconfig.build.json'],
};

/**
 * Makes one part of the production build.
 *
 * @param {string} projectFolder
 * @param {'page' | 'service'} part
 * @throws {Error} when it fails; the tool has printed why.
 */
export function build(projectFolder, part) {
  const { status } = spawnSync(process.execPath, [...builds[part]], { cwd: projectFolder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`The build of the ${part} failed; what is printed above tells why.`);
}

/**
 * Time of the latest change at or below a path, milliseconds since 1970; 0 where there is nothing.
 *
 * @param {string} target
 * @returns {number}
 */
function newest(target) {
  const facts = statSync(target, { throwIfNoEntry: false });
  if (facts === undefined) return 0;
  if (!facts.isDirectory()) return facts.mtimeMs;
  // The folder's own time counts too: removing a file changes it.
  return Math.max(facts.mtimeMs, ...readdirSync(target).map((name) => newest(path.join(target, name))));
}

/** @param {string} file */
function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
