// @ts-check
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Everything that the production build is made from. */
const sources = [
  'src',
  'public',
  'contract',
  'webpack.config.js',
  'webpack.firstStep.js',
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

/** webpack's arguments for the production build: the page (`dist`) and the service (`dist-service`). */
export const buildArguments = ['--mode', 'production', '-c', 'webpack.config.js', '-c', 'webpack.service.js'];

/**
 * Makes the production build.
 *
 * @param {string} projectFolder
 * @param {readonly string[]} [args] - of webpack: both parts, unless said otherwise
 * @returns {boolean} whether it succeeded; webpack has said why not.
 */
export function build(projectFolder, args = buildArguments) {
  const webpack = path.join(projectFolder, 'node_modules', 'webpack', 'bin', 'webpack.js');
  const { status } = spawnSync(process.execPath, [webpack, ...args], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  return status === 0;
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
  // The folder's own time counts too: it tells of a file that was removed.
  return Math.max(facts.mtimeMs, ...readdirSync(target).map((name) => newest(path.join(target, name))));
}

/** @param {string} file */
function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
