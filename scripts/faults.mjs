// @ts-check
// `npm run faults`: faults under a steady load, and what users notice of them; see scripts/faults/main.ts. Takes about five minutes.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDebianPackages } from './setup/debian.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
ensureDebianPackages(['nginx', 'libnginx-mod-http-brotli-static', 'postgresql']);

/** @param {readonly string[]} args */
const run = (args) => spawnSync(process.execPath, args, { cwd: projectFolder, stdio: 'inherit' }).status ?? 1;

const build = ['node_modules/webpack/bin/webpack.js', '--mode', 'production', '-c', 'webpack.service.js'];
process.exitCode = run(build) || run(['--import', 'tsx', path.join('__tests__', 'faults', 'main.ts')]);
