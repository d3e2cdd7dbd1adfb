// @ts-check
// `npm run faults -w packages/workbench`: faults under a steady load, and what users notice of them; see faults/main.ts. With `--kit`, the
// sessions are those of applications with `@vestibule/client`. Takes about five minutes.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/setup/build.mjs';
import { ensureNeeds, explainMissing } from '../../scripts/setup/needs.mjs';

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const [missing] = ensureNeeds(['nginx', 'postgresql']);
if (missing !== undefined) throw new Error(explainMissing(missing));

/** @param {readonly string[]} args */
const run = (args) => spawnSync(process.execPath, args, { cwd: projectFolder, stdio: 'inherit' }).status ?? 1;

build(projectFolder, 'service');
process.exitCode = run(['--import', 'tsx', 'packages/workbench/faults/main.ts', ...process.argv.slice(2)]);
