// @ts-check
// `npm run recording -- FILE [NAME]`: writes a test from a recording ('Copy details', or an export of Redux DevTools). The test
// takes the recorded events through the reducers and compares the screen after the last of them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(projectFolder, '__tests__/recordings');

/** @param {string} name */
const testOf = (name) => `import { expectReplayed } from '../support/expectReplayed';

it('replays ${name} to the recorded screen', async () => {
  await expectReplayed(__filename);
});
`;

/** @param {readonly string[]} args */
function main([file, given]) {
  if (file === undefined || !existsSync(file)) {
    throw new Error('Name the file of a recording: npm run recording -- FILE [NAME]');
  }
  const name = given ?? path.basename(file, path.extname(file));
  if (!/^[\w-]+$/.test(name)) throw new Error(`The name '${name}' may have letters, digits, - and _ only.`);
  const test = path.join(folder, `${name}.test.tsx`);
  if (existsSync(test))
    throw new Error(`There is a test of that name: ${path.relative(projectFolder, test)}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, path.join(folder, `${name}.recording.txt`));
  writeFileSync(test, testOf(name));
  const jest = path.join(projectFolder, 'node_modules/jest/bin/jest.js');
  // The first run writes down what the screen says; a recording that cannot be replayed ends here.
  const { status } = spawnSync(process.execPath, [jest, '--ci=false', test], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
