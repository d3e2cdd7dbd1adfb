// @ts-check
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { packageOf, readMap } from '../../../scripts/bytes/bundle.mjs';

/** Text of a bundle without a source: module wrappers, bundled JSON. */
const unmapped = '(no source: wrappers, bundled data)';

/** Minified bytes below which a package is left out, and how many own modules are listed: each line costs a second. */
const leastBytes = 800;
const mostModules = 12;

/**
 * @typedef {object} Cost
 * @property {string} name
 * @property {number} minified - bytes
 * @property {number} saved - brotli bytes that go when this text is cut out of the files; the sum over all is less
 *   than the whole, because each text compresses better together with the others
 */

/** @typedef {{ packages: Cost[], modules: Cost[] }} Explanation */

/**
 * What each package, and each of the project's own modules, costs in the JS that `/login` loads up to network idle.
 *
 * @param {string} distFolder
 * @param {import('../../../scripts/bytes/load.mjs').Weight} weight
 * @returns {Explanation}
 */
export function explainBundle(distFolder, weight) {
  const files = weight.scripts.map((script) => readRuns(path.join(distFolder, script)));
  return {
    packages: costs(files, (source) => (source === null ? unmapped : packageOf(source)), Infinity),
    modules: costs(files, ownModule, mostModules),
  };
}

/** @typedef {{ text: string, source: string | null }[]} Runs */

/**
 * @param {Runs[]} files
 * @param {(source: string | null) => string | null} nameOf - `null`: left out
 * @param {number} most
 * @returns {Cost[]} the largest first
 */
function costs(files, nameOf, most) {
  /** @type {Map<string, number>} */
  const minified = new Map();
  for (const { text, source } of files.flat()) {
    const name = nameOf(source);
    if (name !== null) minified.set(name, (minified.get(name) ?? 0) + Buffer.byteLength(text));
  }
  const whole = compressedWithout(files, () => false);
  return [...minified]
    .filter(([, bytes]) => bytes >= leastBytes)
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, bytes]) => ({
      name,
      minified: bytes,
      saved: whole - compressedWithout(files, (source) => nameOf(source) === name),
    }));
}

/**
 * @param {Runs[]} files
 * @param {(source: string | null) => boolean} isCut
 */
function compressedWithout(files, isCut) {
  return files.reduce((sum, runs) => {
    const kept = runs.filter(({ source }) => !isCut(source)).map(({ text }) => text);
    return sum + brotliCompressSync(kept.join('')).byteLength;
  }, 0);
}

/** @param {string | null} source */
function ownModule(source) {
  return source === null || source.includes('/node_modules/')
    ? null
    : (/\/(src\/.+)$/.exec(source)?.[1] ?? null);
}

/**
 * The bundle cut into runs of text, each with the source it comes from.
 *
 * @param {string} file
 * @returns {{ text: string, source: string | null }[]}
 */
function readRuns(file) {
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
