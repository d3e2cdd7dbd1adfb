// @ts-check
import { compileMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

/** @typedef {ReturnType<typeof compileMessage>} Compiled */

/**
 * What is wrong with a translation: an invalid ICU message, missing or unknown placeholders, or missing plural forms.
 *
 * @param {string} message in English
 * @param {string} translation
 * @param {string} language
 * @returns {string[]}
 */
export function faultsOf(message, translation, language) {
  try {
    compileMessageOrThrow(translation);
  } catch {
    return ['is not a valid ICU message'];
  }
  const [wanted, found] = [
    placeholdersIn(compileMessage(message)),
    placeholdersIn(compileMessage(translation)),
  ];
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return [
    ...Object.keys(wanted).flatMap((name) => (Object.hasOwn(found, name) ? [] : `lacks {${name}}`)),
    ...Object.keys(found).flatMap((name) =>
      Object.hasOwn(wanted, name) ? [] : `has the unknown placeholder {${name}}`,
    ),
    ...Object.values(found)
      .flatMap((forms) => pluralCategories.filter((form) => forms && !Object.hasOwn(forms, form)))
      .map((form) => `lacks the plural form '${form}'`),
  ];
}

/**
 * @param {Compiled} compiled
 * @returns {Record<string, Record<string, unknown> | null>} the placeholders, and the forms of those that are plurals
 */
function placeholdersIn(compiled) {
  /** @type {ReturnType<typeof placeholdersIn>} */
  const found = {};
  for (const token of compiled) {
    if (typeof token === 'string') continue;
    const [name, , details] = token;
    // The offset of a plural is undefined.
    const forms = /** @type {Record<string, Compiled | undefined> | undefined} */ (details);
    Object.assign(found, ...Object.values(forms ?? {}).map((form = []) => placeholdersIn(form)), {
      [name]: forms ?? null,
    });
  }
  return found;
}
