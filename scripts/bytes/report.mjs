// @ts-check
import path from 'node:path';
import { kilobytes, rule } from './budget.mjs';
import { packageOf, readSources } from './bundle.mjs';
import { routeRows } from './routes.mjs';

/** @param {import('./load.mjs').Load} load */
export function printBytes({ beforeUsable, idle, afterTyping }) {
  const row = (/** @type {string} */ label, /** @type {import('./load.mjs').Weight} */ weight) => [
    label,
    ...[weight.js, weight.css, weight.html, weight.other].map(kilobytes),
    String(weight.requests),
  ];
  printTable('/login, cold, on the wire (brotli; kB = 1000 bytes)', [
    ['', 'JS', 'CSS', 'HTML', 'other', 'requests'],
    row('asked for before the username can be typed', beforeUsable),
    row('up to network idle, without input', idle),
    row('up to network idle after typing', afterTyping),
  ]);
  const untouched = new Set(idle.files.map(({ path }) => path));
  printTable('File by file', [
    ['', 'size', 'asked for'],
    ...idle.files.map(({ path, bytes }) => [path, kilobytes(bytes), 'by itself']),
    ...afterTyping.files
      .filter(({ path }) => !untouched.has(path))
      .map(({ path, bytes }) => [path, kilobytes(bytes), 'at the first key']),
  ]);
}

/** @param {import('./budget.mjs').Verdict[]} verdicts */
export function printBudget(verdicts) {
  printTable('Budget of /login', [
    ['', 'budget', 'figure', ''],
    ...verdicts.map(({ label, limit, figure, kept }) => [label, limit, figure, kept ? 'kept' : 'EXCEEDED']),
  ]);
}

/** @param {readonly import('./routes.mjs').RouteVerdict[]} verdicts */
export function printRoutes(verdicts) {
  printTable('Every other screen, cold, up to network idle', routeRows(verdicts));
}

/**
 * The rule, and the files of each screen that exceeds its budget: for another screen than `/login` those that it adds, the
 * largest first, with what is in them.
 *
 * @param {string} distFolder
 * @param {import('./load.mjs').Weight} login
 * @param {readonly { name: string, weight: import('./load.mjs').Weight }[]} exceeded
 */
export function printFaults(distFolder, login, exceeded) {
  if (exceeded.length > 0) console.log(`\n${rule}`);
  for (const { name, weight } of exceeded) {
    const files = weight.files.filter(
      ({ path: file }) => file.endsWith('.js') && (weight === login || !login.scripts.includes(file)),
    );
    printTable(
      `Files of ${name}`,
      files
        .sort((one, other) => other.bytes - one.bytes)
        .map(({ path: file, bytes }) => [file, kilobytes(bytes), contentsOf(path.join(distFolder, file))]),
    );
  }
}

/** @param {string} file */
function contentsOf(file) {
  return [...new Set(readSources(file).map(packageOf))].slice(0, 6).join(', ');
}

/**
 * @public the benchmarks of the workbench print tables too
 * @param {string} title
 * @param {string[][]} rows - the first one is the heading
 */
export function printTable(title, rows) {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  console.log(`\n${title}`);
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(`  ${cells.join('  ')}`.trimEnd());
  }
}
