// @ts-check
// `npm run recording -- FILE [NAME]`: writes a test from a recording ('Copy details', or an export of Redux DevTools). In it the
// whole application, over fake ports, does again what was recorded (docs/development.md#recordings).
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(projectFolder, '__tests__/recordings');

/** @param {string} name */
const testOf = (name) => `import { expectReplayed } from '../support/replayJourney';

/** What the recording does not hold: it was removed. Change what the fault depends on; \`Given\` has more. */
const given = {
  username: 'ada@example.com',
  password: 'Corr3ct-horse',
  newPassword: 'N3w-correct-horse',
  code: '123456',
};

it('${name} goes again as it was recorded', async () => {
  await expectReplayed(__filename, given);
});
`;

/** @param {readonly string[]} args */
function main([file, given]) {
  if (file === undefined || !existsSync(file)) {
    throw new Error('Name the file of a recording: npm run recording -- FILE [NAME]');
  }
  const name = given ?? path.basename(file, path.extname(file));
  if (!/^[\w-]+$/.test(name)) throw new Error(`The name '${name}' may have letters, digits, - and _ only.`);
  const test = path.join(folder, `${name}.test.ts`);
  if (existsSync(test))
    throw new Error(`There is a test of that name: ${path.relative(projectFolder, test)}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, path.join(folder, `${name}.recording.txt`));
  writeFileSync(test, testOf(name));
  const jest = path.join(projectFolder, 'node_modules/jest/bin/jest.js');
  const { status } = spawnSync(process.execPath, [jest, test], {
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
