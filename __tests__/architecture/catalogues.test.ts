/** @jest-environment node */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatter } from '@lingui/format-po';
import catalogueBuild from '../../scripts/build/catalogues.js';
import { faultsIn } from '../../scripts/texts/faultsIn.mjs';
import { textsIn } from '../../scripts/texts/textsIn.mjs';

const root = path.join(__dirname, '../..');
const catalogues = [
  { folder: 'locales', sources: 'src' },
  { folder: 'packages/service/locales', sources: 'packages/service/src' },
].flatMap(({ folder, sources }) =>
  catalogueBuild
    .languagesIn(path.join(root, folder))
    .map((language) => [path.join(folder, `${language}.po`), sources] as const),
);

it.each(catalogues)('%s has a valid translation of every text of %s, and no other', async (file, sources) => {
  expect(await faultsIn(path.join(root, file), path.join(root, sources))).toEqual([]);
});

describe('the check of a catalogue reports each fault with its text', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-texts-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(
    path.join(folder, 'some.messages.ts'),
    `export const someMessages = texts('some', {
  greeting: (name: string): string => \`Hello \${name}\`,
  left: (count: number): string => plural(count, { '=0': 'None', one: '1 left', other: '# left' }),
});
`,
  );
  const left = '{0, plural, =0 {None} one {1 left} other {# left}}';
  const entry = (id: string, message: string, translation: string) =>
    `msgctxt "some ${id}"\nmsgid "${message}"\nmsgstr "${translation}"\n`;
  const polish = '{0, plural, =0 {Brak} one {Został #} few {Zostały #} many {Zostało #} other {Zostało #}}';
  const arabic =
    '{0, plural, =0 {لا شيء} zero {#} one {رمز واحد} two {رمزان} few {# رموز} many {# رمزًا} other {# رمز}}';
  const right = (language: string) => [
    entry('greeting', 'Hello {0}', 'Cześć {0}'),
    entry('left', left, language === 'ar' ? arabic : polish),
  ];

  it.each([
    ['pl', right('pl'), []],
    ['ar', right('ar'), []],
    ['pl', right('pl').slice(1), ["'some greeting' is missing: Hello {0}"]],
    [
      'pl',
      [entry('greeting', 'Hello {0}', ''), ...right('pl').slice(1)],
      ["'some greeting' is missing: Hello {0}"],
    ],
    [
      'pl',
      [entry('greeting', 'Hello {0}', 'Cześć'), ...right('pl').slice(1)],
      ["'some greeting' lacks {0}: Cześć"],
    ],
    [
      'pl',
      [entry('greeting', 'Hello {0}', 'Cześć {0} {1}'), ...right('pl').slice(1)],
      ["'some greeting' has the unknown placeholder {1}: Cześć {0} {1}"],
    ],
    [
      'pl',
      [entry('greeting', 'Hello {0}', 'Cześć {0'), ...right('pl').slice(1)],
      ["'some greeting' is not a valid ICU message: Cześć {0"],
    ],
    [
      'pl',
      [...right('pl').slice(0, 1), entry('left', left, polish.replace(' few {Zostały #}', ''))],
      [`'some left' lacks the plural form 'few': ${polish.replace(' few {Zostały #}', '')}`],
    ],
    [
      'ar',
      [...right('ar').slice(0, 1), entry('left', left, arabic.replace(' two {رمزان}', ''))],
      [`'some left' lacks the plural form 'two': ${arabic.replace(' two {رمزان}', '')}`],
    ],
    ['pl', [...right('pl'), entry('gone', 'Gone', 'Nie ma')], ["'some gone' is obsolete: Gone"]],
    [
      'pl',
      [entry('greeting', 'Hi {0}', 'Cześć {0}'), ...right('pl').slice(1)],
      ["'some greeting' is obsolete: Hi {0}", "'some greeting' is missing: Hello {0}"],
    ],
  ])('%s %#', async (language, entries, faults) => {
    const file = path.join(folder, `${language}.po`);
    writeFileSync(file, `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n\n${entries.join('\n')}`);
    expect(await faultsIn(file, folder)).toEqual(faults.map((fault) => `${file}: ${fault}`));
  });

  it.each([
    ['a text that is computed', 'words.other', "'some one' must be a string"],
    ['a placeholder that is no parameter', '(name) => `Hello ${name.first}`', "'some one' must be a string"],
  ])('%s cannot be translated', (_what, code, sentence) => {
    expect(() => textsIn('a.messages.ts', `texts('some', { one: ${code} })`)).toThrow(sentence);
  });
});

const entriesOf = async (file: string) => {
  const context = { locale: path.basename(file, '.po'), sourceLocale: 'en', filename: file };
  return Object.values(await formatter().parse(readFileSync(path.join(root, file), 'utf8'), context));
};

it.each(['locales/fr.po', 'packages/service/locales/fr.po'])(
  'no line of a text of %s begins with a punctuation mark',
  async (file) => {
    const translations = (await entriesOf(file)).map(({ translation }) => translation);
    expect(translations.filter((one) => /[^\u00a0\u202f][:;?!»]|«[^\u00a0\u202f]/.test(one))).toEqual([]);
  },
);

describe('the terms of a language', () => {
  type Terms = Readonly<Record<string, readonly string[]>>;
  const termsOf = (language: string): Terms =>
    JSON.parse(readFileSync(path.join(root, `locales/terms/${language}.json`), 'utf8')) as Terms;
  /** Finds the terms in an English text, as whole words in singular or plural. Of overlapping terms, only the longest counts. */
  const termsIn = (text: string, terms: readonly string[]): ReadonlySet<string> => {
    const longestFirst = terms.toSorted((one, other) => other.length - one.length);
    const forms = longestFirst.map(
      (term) => `(${term.replaceAll('-', '[- ]?').replace(/([^aeiou])y$/, '$1(?:y|ie)')}e?s?)`,
    );
    const found = text.matchAll(new RegExp(`(?<![\\w-])(?:${forms.join('|')})(?!\\w)`, 'gi'));
    return new Set(
      Array.from(found, ([, ...groups]) => longestFirst[groups.findIndex(Boolean)]).filter(
        (term) => term !== undefined,
      ),
    );
  };

  it.each([
    ['Copy these codes', ['code']],
    ['Your recovery codes', ['recovery code']],
    ['Enter your email to sign in on the sign-in page.', ['e-mail', 'sign-in']],
    ['No identities, encoded', ['identity']],
  ])('are found in the English text: %s', (text, terms) => {
    expect([...termsIn(text, ['code', 'recovery code', 'e-mail', 'sign-in', 'identity'])]).toEqual(terms);
  });

  const used = catalogues.map(([file]) => ({ file, language: path.basename(file, '.po') }));

  it.each(used)('$file has a word for each term of the English text', async ({ file, language }) => {
    const terms = termsOf(language);
    const faults = (await entriesOf(file)).flatMap(({ context: id, message = '', translation = '' }) =>
      [...termsIn(message, Object.keys(terms))]
        .filter(
          (term) => !terms[term]?.some((stem) => translation.toLowerCase().includes(stem.toLowerCase())),
        )
        .map((term) => `'${id}' has no word for '${term}': ${translation}`),
    );
    expect(faults).toEqual([]);
  });

  it.each([...new Set(used.map(({ language }) => language))])(
    'are the same in %s as in German',
    (language) => {
      expect(Object.keys(termsOf(language)).toSorted()).toEqual(Object.keys(termsOf('de')).toSorted());
    },
  );
});

it('the language of development changes the letters and the length, not placeholders, plurals and formats', async () => {
  const catalogue = await catalogueBuild.readCatalogue('en-XA');
  const compiled = (id: string) => catalogue.get(id)?.compiled;
  expect(compiled('login/auth signIn.title')).toBe('[Wélçömé~~~]');
  expect(compiled('device browserOn')).toEqual(['[', ['0'], ' öñ ~~', ['1'], ']']);
  expect(catalogue.has('date time')).toBe(false);
  const plurals = [...catalogue.values()].filter(({ message }) => message.includes('plural'));
  // Without the extensions the page has no plural.
  for (const { compiled: plural } of plurals)
    expect(JSON.stringify(plural)).toMatch(/^\["\[",.*\["\d","plural",\{.*"other":.*"\]"\]$/);
  const shipped = ['en', ...catalogueBuild.languagesIn(catalogueBuild.folder)];
  expect(catalogueBuild.developmentLanguages().filter((one) => !shipped.includes(one))).toEqual(['en-XA']);
});

it('a text keeps its comment and the names of its parameters for the translator', () => {
  const code = readFileSync(path.join(root, 'src/shared/ui/device.messages.ts'), 'utf8');
  expect(textsIn('device.messages.ts', code)[0]).toMatchObject({
    id: 'device browserOn',
    message: '{0} on {1}',
    placeholders: { 0: 'browser', 1: 'system' },
    comment: "Such as 'Firefox 153 on Windows'.",
  });
});
