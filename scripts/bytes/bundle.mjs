// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Source files whose code is in a bundle after minification, by its source map.
 *
 * @param {string} file
 * @returns {string[]}
 * @throws {Error} when the bundle has no source map, so that its contents are unknown.
 */
export function readSources(file) {
  return readMap(file).sources;
}

/**
 * The package that a source belongs to; for the project's own files their folder, two levels deep.
 *
 * @param {string} source - as in the map: `webpack://name/./node_modules/react/index.js`
 */
export function packageOf(source) {
  const inPackages = source.split('/node_modules/').at(-1);
  if (inPackages !== undefined && inPackages !== source) {
    const [scope = '', name = ''] = inPackages.split('/');
    return scope.startsWith('@') ? `${scope}/${name}` : scope;
  }
  const own = /\/(src\/(?:[^/]+\/){0,2})/.exec(source)?.[1];
  return own?.replace(/\/$/, '') ?? 'webpack runtime';
}

/**
 * The build's maps lie in `source-maps/` next to `dist/`, under the same names.
 *
 * @public the benchmarks of the workbench read it too
 * @param {string} file
 */
export function readMap(file) {
  const map = path.join(path.dirname(file), '../../source-maps/assets', `${path.basename(file)}.map`);
  if (!existsSync(map)) throw new Error(`${file} has no source map at ${map}.`);
  return JSON.parse(readFileSync(map, 'utf8'));
}
