// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow as compile } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { textsIn } from './textsIn.mjs';

/** @typedef {ReturnType<typeof compile>} Compiled */

/**
 * Checks a catalogue. Reports missing and obsolete texts, invalid ICU messages, and translations with missing or unknown placeholders or
 * missing plural forms.
 *
 * @param {string} file with the language as its name
 * @param {string} sources folder with the `*.messages.ts` files
 * @returns {Promise<string[]>} sentences
 */
export async function faultsIn(file, sources) {
  const language = path.basename(file, '.po');
  const context = { locale: language, sourceLocale: 'en', filename: file };
  const catalogue = await formatter().parse(readFileSync(file, 'utf8'), context);
  const texts = textsOf(sources);
  const known = new Set(texts.map(({ key }) => key));
  const obsolete = Object.entries(catalogue)
    .filter(([key]) => !known.has(key))
    .map(([, { context: id, message }]) => `${file}: '${id}' is obsolete: ${message}`);
  const faults = texts.flatMap(({ key, id, message }) => {
    const translation = catalogue[key]?.translation ?? '';
    return translation === ''
      ? [`'${id}' is missing: ${message}`]
      : faultsOf(message, translation, language).map((fault) => `'${id}' ${fault}: ${translation}`);
  });
  return [...obsolete, ...faults.map((fault) => `${file}: ${fault}`)];
}

/** @param {string} sources */
function textsOf(sources) {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.messages.ts'))
    .flatMap((name) => textsIn(name, readFileSync(path.join(sources, name), 'utf8')))
    .map(({ id, message }) => ({ id, message, key: generateMessageId(message, id) }));
}

/** @param {string} message @param {string} translation @param {string} language */
function faultsOf(message, translation, language) {
  const compiled = compiledOrNull(translation);
  if (compiled === null) return ['is not a valid ICU message'];
  const [wanted, found] = [placeholdersIn(compile(message)), placeholdersIn(compiled)];
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return [
    ...[...wanted].filter((name) => !found.has(name)).map((name) => `lacks {${name}}`),
    ...[...found].filter((name) => !wanted.has(name)).map((name) => `has the unknown placeholder {${name}}`),
    ...pluralsIn(compiled).flatMap((forms) =>
      pluralCategories.filter((form) => !(form in forms)).map((form) => `lacks the plural form '${form}'`),
    ),
  ];
}

/** @param {string} translation */
function compiledOrNull(translation) {
  try {
    return compile(translation);
  } catch {
    return null;
  }
}

/** @param {Compiled} compiled @returns {ReadonlySet<string>} */
function placeholdersIn(compiled) {
  if (typeof compiled === 'string') return new Set();
  return new Set(
    compiled.flatMap((token) => {
      if (typeof token === 'string') return [];
      const [name, , forms] = token;
      const inside =
        typeof forms === 'object' && forms !== null
          ? Object.values(forms).flatMap((form) => (form === undefined ? [] : [...placeholdersIn(form)]))
          : [];
      return [name, ...inside].filter((one) => one !== '#');
    }),
  );
}

/** @param {Compiled} compiled @returns {Record<string, Compiled>[]} */
function pluralsIn(compiled) {
  if (typeof compiled === 'string') return [];
  return compiled.flatMap((token) =>
    typeof token === 'object' && typeof token[2] === 'object' && token[2] !== null
      ? [/** @type {Record<string, Compiled>} */ (token[2])]
      : [],
  );
}
