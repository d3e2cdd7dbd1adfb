/** @jest-environment node */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import ts from 'typescript';
import catalogueBuild from '../../scripts/build/catalogues.js';
import { compileMessages } from '../../scripts/build/compileMessages.js';
import { faultsOf } from '../../scripts/texts/faultsOf.mjs';

const root = path.join(__dirname, '../..');
const catalogues = ['locales', 'packages/service/locales'].flatMap((folder) =>
  catalogueBuild.languagesIn(path.join(root, folder)).map((language) => path.join(folder, `${language}.po`)),
);

describe('the check of a translation reports', () => {
  const left = '{count, plural, =0 {None} one {1 left} other {# left}}';
  const polish =
    '{count, plural, =0 {Brak} one {Został #} few {Zostały #} many {Zostało #} other {Zostało #}}';
  const arabic =
    '{count, plural, =0 {لا شيء} zero {#} one {رمز واحد} two {رمزان} few {# رموز} many {# رمزًا} other {# رمز}}';

  it.each([
    ['nothing of a right one', 'pl', 'Hello {name}', 'Cześć {name}', []],
    ['nothing of a right plural', 'pl', left, polish, []],
    ['nothing of a right plural with more forms', 'ar', left, arabic, []],
    ['a lost placeholder', 'pl', 'Hello {name}', 'Cześć', ['lacks {name}']],
    ['an unknown placeholder', 'pl', 'Hello', 'Cześć {name}', ['has the unknown placeholder {name}']],
    ['an invalid message', 'pl', 'Hello {name}', 'Cześć {name', ['is not a valid ICU message']],
    ['a lost form', 'pl', left, polish.replace(' few {Zostały #}', ''), ["lacks the plural form 'few'"]],
    ['a lost form', 'ar', left, arabic.replace(' two {رمزان}', ''), ["lacks the plural form 'two'"]],
  ])('%s, in %s: %#', (_what, language, message, translation, faults) => {
    expect(faultsOf(message, translation, language)).toEqual(faults);
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
    // The name of a placeholder is no term.
    const words = text.replace(/\{\w+\}/g, ' ');
    const longestFirst = terms.toSorted((one, other) => other.length - one.length);
    const forms = longestFirst.map(
      (term) => `(${term.replaceAll('-', '[- ]?').replace(/([^aeiou])y$/, '$1(?:y|ie)')}e?s?)`,
    );
    const found = words.matchAll(new RegExp(`(?<![\\w-])(?:${forms.join('|')})(?!\\w)`, 'gi'));
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

  const used = catalogues.map((file) => ({ file, language: path.basename(file, '.po') }));

  it.each(used)('$file has a word for each term of the English text', async ({ file, language }) => {
    const terms = termsOf(language);
    const translated = (await entriesOf(file)).filter(({ translation }) => translation);
    const faults = translated.flatMap(({ context: id, message = '', translation = '' }) =>
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
  expect(compiled('login/auth.signIn.title')).toEqual(['[', 'Wélçömé~~~', ']']);
  expect(compiled('device.browserOn')).toEqual(['[', ['browser'], ' öñ ~~', ['system'], ']']);
  expect(catalogue.has('date.time')).toBe(false);
  const plurals = [...catalogue.values()].filter(({ message }) => message.includes('plural'));
  // Without the extensions the page has no plural.
  for (const { compiled: plural } of plurals)
    expect(JSON.stringify(plural)).toMatch(/^\["\[",.*\["\w+","plural",\{.*"other":.*"\]"\]$/);
  const shipped = ['en', ...catalogueBuild.languagesIn(catalogueBuild.folder)];
  expect(catalogueBuild.developmentLanguages().filter((one) => !shipped.includes(one))).toEqual(['en-XA']);
});

it('the build compiles the English texts, plurals too, and leaves their comments out', () => {
  const code = `export const messages = {
    left: (count: number) => /*i18n*/ ({
      id: 'codes.left',
      message: '{count, plural, =0 {None} other {# left of {all}}}',
      comment: 'For translators.',
      values: { count },
    }),
  };`;
  const fileName = 'codes.messages.ts';
  const transformers = { before: [compileMessages] };
  const { outputText } = ts.transpileModule(code, { fileName, transformers });
  const compiled = JSON.stringify(compileMessage('{count, plural, =0 {None} other {# left of {all}}}'));
  expect(outputText.replace(/\s/g, '')).toContain(`message:${compiled.replace(/\s/g, '')}`);
  expect(outputText).not.toContain('For translators.');
  expect(outputText).toContain('values: { count }');
});
