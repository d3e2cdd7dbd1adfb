// @ts-check
// `npm run deletion -w packages/workbench [-- NAME…]`: deletes each extension, and then `all`, in a copy of the project (its folders, its
// files of the contract, its entries of the lists). What is left must work without another change (docs/architecture.md#layers).
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  lstatSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const parts = 'packages/contract/openapi';
const lists = [
  'src/app/features.ts',
  'packages/service/src/capabilities.ts',
  'packages/contract/src/conformance/extensions.ts',
];

/** The extensions: whatever the contract has a part of, besides the core. */
const extensions = readdirSync(path.join(projectFolder, parts))
  .map((file) => path.basename(file, '.yaml'))
  .filter((name) => name !== 'core');

/** What an extension consists of, besides its entries of the lists. @param {string} name */
const placesOf = (name) => [
  `src/features/${name}`,
  `__tests__/features/${name}`,
  `__tests__/journeys/${name}`,
  `packages/service/src/${name}`,
  `packages/service/__tests__/${name}`,
  `${parts}/${name}.yaml`,
  `packages/contract/src/conformance/${name}.ts`,
];

/**
 * A copy of the files that Git does not ignore. Its packages are links to those of the project.
 *
 * @param {string} folder
 */
function copyProject(folder) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0'))
    if (file !== '' && existsSync(path.join(projectFolder, file)))
      cpSync(path.join(projectFolder, file), path.join(folder, file));
  linkEntries('node_modules', folder);
  // npm installs here what it cannot share with other workspaces.
  for (const workspace of readdirSync(path.join(projectFolder, 'packages'))) {
    const own = path.join('packages', workspace, 'node_modules');
    if (existsSync(path.join(projectFolder, own)))
      symlinkSync(path.join(projectFolder, own), path.join(folder, own));
  }
}

/** Links of npm to workspaces are relative, so that they lead to the copy. @param {string} packages @param {string} folder */
function linkEntries(packages, folder) {
  mkdirSync(path.join(folder, packages));
  for (const name of readdirSync(path.join(projectFolder, packages))) {
    const entry = path.join(packages, name);
    const own = path.join(projectFolder, entry);
    if (name === '@vestibule') linkEntries(entry, folder);
    else if (name !== '.cache')
      symlinkSync(lstatSync(own).isSymbolicLink() ? readlinkSync(own) : own, path.join(folder, entry));
  }
}

/** Removes an extension from the copy. @param {string} folder @param {string} name */
function remove(folder, name) {
  for (const place of placesOf(name)) rmSync(path.join(folder, place), { recursive: true, force: true });
  for (const list of lists) {
    const file = path.join(folder, list);
    const text = readFileSync(file, 'utf8');
    const [, entry] =
      new RegExp(`^import \\{ (\\w+) \\} from '[^']*/${name}(?:/|\\.ts)[^']*';$`, 'm').exec(text) ?? [];
    if (entry === undefined) throw new Error(`${list} does not list ${name}.`);
    const others = text
      .split('\n')
      .filter(
        (line) =>
          !line.includes(`/${name}/`) && !line.includes(`/${name}.ts'`) && line.trim() !== `${entry},`,
      );
    writeFileSync(file, others.join('\n'));
  }
}

const tsc = ['node_modules/typescript7/bin/tsc'];
const eslint = ['--max-semi-space-size=128', 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0'];
const layers = ['src', 'packages', 'scripts', '__tests__'];

/** What must succeed without one extension. */
const compiles = [
  ['packages/contract/generate.mjs'],
  ['node_modules/@lingui/cli/dist/lingui.js', 'extract', '--clean'],
  [...tsc, '--noEmit'],
  [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.mjs',
    ...layers,
  ],
];

/**
 * What must succeed, besides, without all of them: ESLint, the remaining unit tests, and the remaining journeys, without long ones.
 */
const works = [
  [...eslint, '.'],
  ['node_modules/webpack/bin/webpack.js', '--mode', 'production'],
  [...tsc, '--build', 'packages/service/tsconfig.build.json'],
  ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--silent'],
  ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line'],
];

/**
 * @param {readonly string[]} names
 * @param {readonly (readonly string[])[]} commands
 * @returns what the first failing command prints without these extensions; empty: nothing is missing
 */
function missingWithout(names, commands) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-deletion-'));
  try {
    copyProject(folder);
    for (const name of names) remove(folder, name);
    // docs/asvs.md names tests of the extensions.
    rmSync(path.join(folder, '__tests__/architecture/asvs.test.ts'));
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync(process.execPath, command, {
        cwd: folder,
        env: { ...process.env, TEST_LONG: '', TEST_ALL: '' },
        encoding: 'utf8',
        maxBuffer: Infinity,
      });
      if (status !== 0) return stdout + stderr;
    }
    return '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
const trials = extensions.map((name) => ({ what: name, names: [name], commands: compiles }));
trials.push({ what: 'all', names: extensions, commands: [...compiles, ...works] });
const chosen = trials.filter(({ what }) => named.length === 0 || named.includes(what));
const failed = chosen.filter(({ what, names, commands }) => {
  const started = performance.now();
  const missing = missingWithout(names, commands);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`-- without ${what}: ${missing === '' ? 'passed' : `FAILED\n${missing}`} (${seconds} s)`);
  return missing !== '';
});
console.log(`\n${chosen.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
