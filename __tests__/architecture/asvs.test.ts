/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/asvs.md'), 'utf8');

/** How many requirements each section of these chapters has in ASVS 5.0.0. */
const sections = {
  ...{ '3.1': 1, '3.2': 3, '3.3': 5, '3.4': 8, '3.5': 8, '3.6': 1, '3.7': 5 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 8, '6.4': 6, '6.5': 8, '6.6': 4, '6.7': 2, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '10.1': 2, '10.2': 3, '10.3': 5, '10.4': 16, '10.5': 5, '10.6': 2, '10.7': 3 },
};

/** The lines of the page: the numbers of requirements, and what is said of them. */
const statements = Array.from(
  page.matchAll(/^- ((?:\d+\.\d\.\d+(?:, )?)+) (.*)$/gm),
  ([, numbers = '', text = '']) => ({ numbers: numbers.split(', '), text }),
);

const testFiles = [
  '__tests__',
  ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/__tests__`),
]
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => /\.(?:test\.tsx?|spec\.ts)$/.test(file));

/** The files of a name such as `service/session`. */
const filesNamed = (name: string): readonly string[] =>
  testFiles.filter((file) =>
    `/${file.replace('__tests__/', '').replace(/\.(?:test|spec)\.tsx?$/, '')}`.endsWith(`/${name}`),
  );

/** The titles of tests in a file, those in the rows of a table too, as they are written. */
function titlesIn(file: string): readonly string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return Array.from(
    source.matchAll(/[([]\s*(['"`])((?:(?!\1)[^\\]|\\.)+)\1\s*,/g),
    ([, , title = '']) => title,
  );
}

/** What is wrong with the tests that a text names: each name is of one file, and each title begins one test of it. */
function faultsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/`([\w./-]+)`\s+((?:'[^']+'(?:,\s+)?)+)/g)).flatMap(
    ([, name = '', quoted = '']) => {
      const [file, ...others] = filesNamed(name);
      if (file === undefined || others.length > 0)
        return [`${name}: ${others.length > 0 ? 'several' : 'no'} files`];
      const titles = titlesIn(file);
      return Array.from(quoted.matchAll(/'([^']+)'/g), ([, begin = '']) => begin).flatMap((begin) => {
        const exact = titles.filter((title) => title === begin);
        const found = exact.length > 0 ? exact : titles.filter((title) => title.startsWith(begin));
        return found.length === 1 ? [] : [`${file}: ${String(found.length)} tests '${begin}'`];
      });
    },
  );
}

test('docs/asvs.md names every requirement of its chapters once, in their order', () => {
  const all = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${String(index + 1)}`),
  );
  expect(statements.flatMap(({ numbers }) => numbers)).toEqual(all);
});

test('docs/asvs.md names a test or a heading for each requirement, or says why it is not met', () => {
  const bare = statements.filter(
    ({ text }) => !/^Not (?:met|applicable): \w|^(?:Partly: )?(?:`[^`]+` '|\[[^\]]+\]\()/.test(text),
  );
  expect(bare).toEqual([]);
});

test('docs/asvs.md names tests that exist', () => {
  expect(faultsIn(page)).toEqual([]);
});

test.each([
  ['the attacks on OpenID Connect', 'packages/service/README.md', "`openid/codeFlow` 'shows our page for'"],
  ['the attacks on payments', 'packages/service/README.md', "`client/embed` 'ignores other origins'"],
  ['the articles about payments', 'docs/payments.md', "`client/server` 'is refused: %s'"],
])('%s name tests that exist', (_what, file, one) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  expect(text).toContain(one);
  expect(faultsIn(text)).toEqual([]);
});

test('docs/asvs.md has numbers and pointers, and no more: at most 12 kB', () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(12000);
});

test.each([
  ['one of a file', "`asvs` 'docs/asvs.md names every requirement'", []],
  ['one of a table', "`asvs` 'one of a file'", []],
  ['none', "`asvs` 'is not there'", ["__tests__/architecture/asvs.test.ts: 0 tests 'is not there'"]],
  ['several', "`asvs` 'docs/asvs.md'", ["__tests__/architecture/asvs.test.ts: 4 tests 'docs/asvs.md'"]],
  ['one of no file', "`nowhere` 'x'", ['nowhere: no files']],
  ['one of several files', "`session` 'x'", ['session: several files']],
])('a pointer to a test that is %s', (_which, text, expected) => {
  expect(faultsIn(text)).toEqual(expected);
});
