// @ts-check
// What docs/operations.md says: its commands.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const documentation = readFileSync(path.join(project, 'docs/operations.md'), 'utf8');
export const hosts = ['login', 'api'].map((name) => `${name}.example.com`);

/** @param {string} title @returns where the section begins and ends */
function section(title) {
  const begin = documentation.indexOf(`\n## ${title}\n`);
  if (begin < 0) throw new Error(`docs/operations.md has no section '${title}'.`);
  const end = documentation.indexOf('\n## ', begin + 1);
  return { begin, end: end < 0 ? documentation.length : end };
}

/**
 * The shell blocks of a section.
 *
 * @param {string} title
 */
export function commandsOf(title) {
  const { begin, end } = section(title);
  return [...documentation.slice(begin, end).matchAll(/^```(?:sh)?\n([^]*?)^```$/gm)].map(
    ([, commands = '']) => commands,
  );
}

/** How many bytes somebody reads up to the end of a section. @param {string} title */
export const bytesUpTo = (title) => Buffer.byteLength(documentation.slice(0, section(title).end));

/** @param {string} what @param {() => unknown} work */
export async function step(what, work) {
  const begun = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
