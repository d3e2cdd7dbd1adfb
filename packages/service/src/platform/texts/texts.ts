import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setupI18n, type I18n, type MessageDescriptor } from '@lingui/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import moment from 'moment';
import PO from 'pofile';
import { formatAmount, type Amount } from '@vestibule/contract/amount';
import { escapedValue, formsOf, matchLanguage, numbersIn } from '@vestibule/contract/languages';
import { dateChangesOf, dateLocalesOf, timeFormatOf } from '@vestibule/contract/times';

/** A value for a placeholder of a text. Dates, in UTC, and amounts are written in the language of the text. */
export type Value = string | number | Date | Amount | Text;

/** A text that is translated (`worded`) when a message is stored or an error is sent. */
export interface Text extends MessageDescriptor {
  readonly values?: Readonly<Record<string, Value>>;
}

const folder = fileURLToPath(new URL('../../../locales', import.meta.url));

/** The languages that have a catalogue, besides English. */
export const translatedLanguages: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.po'))
  .map((file) => path.basename(file, '.po'));

const catalogues = new Map<string, I18n>();

/** Reads the catalogue of a language when it is first needed. */
function catalogueOf(language: string): I18n {
  const read = catalogues.get(language);
  if (read !== undefined) return read;
  const entries = translatedLanguages.includes(language)
    ? PO.parse(readFileSync(path.join(folder, `${language}.po`), 'utf8')).items
    : [];
  const messages = Object.fromEntries(
    entries.map(({ msgctxt = '', msgstr: [translation = ''] }) => [msgctxt, translation]),
  );
  // Lingui itself compiles nothing in production, and neither the catalogues nor the English texts are compiled.
  const made = setupI18n({
    locale: language,
    locales: numbersIn(language),
    messages: { [language]: messages },
  }).setMessagesCompiler(compileMessageOrThrow);
  catalogues.set(language, made);
  return made;
}

/** The language in which a text is shown: English if it has no translation. */
export const languageOf = ({ id }: Text, language: string): string =>
  catalogueOf(language).messages[id] ? language : 'en';

/** Translates a text into a language (BCP 47). A text without a translation is English. */
export function worded(text: Text, language: string): string {
  const values = Object.fromEntries(
    Object.entries(text.values ?? {}).map(([name, value]) => [name, escapedValue(written(value, language))]),
  );
  return catalogueOf(languageOf(text, language))._({ ...text, values });
}

function written(value: Value, language: string): string | number {
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return wordedTime(value, language);
  return 'currency' in value ? formatAmount(value, language) : worded(value, language);
}

/**
 * As `worded`, for text messages: with plain spaces and without marks of direction, because a single character that is not in GSM 03.38 makes
 * a message hold 70 characters instead of 160.
 */
export const wordedForPhone = (text: Text, language: string): string =>
  worded(text, language)
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '');

/** A time as the page writes it, but in UTC, because the time zone of the reader is unknown. */
const wordedTime = (time: Date, language: string): string =>
  `${moment.utc(time).locale(dateLocaleOf(language)).format(timeFormatOf(language))} (UTC)`;

const dateLocales = new Map<string, string>();

/** The moment locale for a language. Moment loads it at the first use. */
function dateLocaleOf(language: string): string {
  const known = dateLocales.get(language);
  if (known !== undefined) return known;
  const name = moment
    .utc()
    .locale([...dateLocalesOf(language), 'en'])
    .locale();
  if (name !== 'en') moment.updateLocale(name, dateChangesOf(name));
  dateLocales.set(language, name);
  return name;
}

/** The offered language that matches `Accept-Language` best, by weight (`q`) and then in its order. At most eight entries are read. */
export function acceptedLanguage(header: string | undefined, offered: readonly string[]): string | undefined {
  const entries = (header ?? '').slice(0, 200).split(',').slice(0, 8);
  const weighted = entries.map((entry) => {
    const [tag = '', weight] = entry.split(/\s*;\s*q=/);
    return { tag: tag.trim(), weight: Number(weight ?? 1) };
  });
  const wanted = weighted.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return matchLanguage(
    offered,
    wanted.map(({ tag }) => tag),
    readForms,
  );
}

const forms = new Map<string, readonly string[]>();

/** Reading a tag takes 0.01 ms. Callers send any tag, so only the first ones are remembered. */
function readForms(tag: string): readonly string[] {
  const known = forms.get(tag) ?? formsOf(tag);
  if (forms.size < 200) forms.set(tag, known);
  return known;
}
