// @ts-check
// `npm run faults`: faults under a steady load, and what users notice of them; see scripts/faults/main.ts. With `--kit`, the
// sessions are those of applications with `@vestibule/client`. Takes about five minutes.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './setup/build.mjs';
import { ensureNeeds, explainMissing } from './setup/needs.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [missing] = ensureNeeds(['nginx', 'postgresql']);
if (missing !== undefined) throw new Error(explainMissing(missing));

/** @param {readonly string[]} args */
const run = (args) => spawnSync(process.execPath, args, { cwd: projectFolder, stdio: 'inherit' }).status ?? 1;

build(projectFolder, 'service');
process.exitCode = run([
  '--import',
  'tsx',
  path.join('scripts', 'faults', 'main.ts'),
  ...process.argv.slice(2),
]);
