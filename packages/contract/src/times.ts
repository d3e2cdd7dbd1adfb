/** The moment format for times on the page and in mails: in English the format of the specification, in other languages that of the locale. */
export const timeFormatOf = (language: string): string =>
  language === 'en' ? 'MMMM Do, YYYY [at] h:mm a' : 'LLL';

/** The names that the moment locale of a language may have, the best match first: 'pt-br' and 'pt'. English is built in. */
export function dateLocalesOf(tag: string): readonly string[] {
  const { language, region = '' } = new Intl.Locale(tag).maximize();
  return [`${language}-${region}`.toLowerCase(), language];
}

const asItIs = (text: string): string => text;

/** The changes to a moment locale by page and service, for `updateLocale`. @param name the name of the locale. */
export const dateChangesOf = (name: string): object => ({
  // Keep the digits 0 to 9: see `numbersIn`.
  preparse: asItIs,
  postformat: asItIs,
  // Write 14:07 after a date as well, not 下午2点07分.
  ...(name === 'zh-cn' && { longDateFormat: { LLL: 'LL LT' } }),
});
