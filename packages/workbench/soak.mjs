// @ts-check
// `npm run soak -w packages/workbench`: a week of many tabs in virtual time; see soak/main.ts. Needs nothing but Node.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The table of screens imports components, and these their style sheets. */
const ignoreStyleSheets =
  "data:text/javascript,import Module from 'node:module'; Module._extensions['.css'] = () => undefined;";

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { status } = spawnSync(
  process.execPath,
  ['--expose-gc', '--import', ignoreStyleSheets, '--import', 'tsx', 'packages/workbench/soak/main.ts'],
  { cwd: projectFolder, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
