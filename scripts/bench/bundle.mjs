// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';

/** Text of a bundle without a source: module wrappers, bundled JSON. */
export const unmapped = '(no source: wrappers, bundled data)';

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
 * The bundle cut into runs of text, each with the source it comes from.
 *
 * @param {string} file
 * @returns {{ text: string, source: string | null }[]}
 */
export function readRuns(file) {
  const map = new SourceMap(readMap(file));
  /** @type {{ text: string, source: string | null }[]} */
  const runs = [];
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, row) => {
      let start = 0;
      let source = sourceAt(map, row, 0);
      for (let column = 1; column <= line.length; column += 1) {
        const next = column < line.length ? sourceAt(map, row, column) : undefined;
        if (next === source) continue;
        runs.push({ text: line.slice(start, column), source });
        start = column;
        source = next ?? null;
      }
    });
  return runs;
}

/**
 * @param {SourceMap} map
 * @param {number} row
 * @param {number} column
 * @returns {string | null}
 */
function sourceAt(map, row, column) {
  const entry = map.findEntry(row, column);
  return 'originalSource' in entry && entry.generatedLine === row ? entry.originalSource : null;
}

/**
 * The build's maps lie in `source-maps/` next to `dist/`, under the same names.
 *
 * @param {string} file
 */
function readMap(file) {
  const map = path.join(path.dirname(file), '../../source-maps/assets', `${path.basename(file)}.map`);
  if (!existsSync(map)) throw new Error(`${file} has no source map at ${map}.`);
  return JSON.parse(readFileSync(map, 'utf8'));
}
