/** The format in which page and mails write a time, for moment: that of the specification in English, elsewhere that of the locale. */
export const timeFormatOf = (language: string): string =>
  language === 'en' ? 'MMMM Do, YYYY [at] h:mm a' : 'LLL';

/** The names that moment's locale of a language may have, the best first: 'pt-br' and 'pt'. English is built in. */
export function dateLocalesOf(tag: string): readonly string[] {
  const { language, region = '' } = new Intl.Locale(tag).maximize();
  return [`${language}-${region}`.toLowerCase(), language];
}

const asItIs = (text: string): string => text;

/** What page and service change in a locale of moment, for `updateLocale`. @param name that of the locale. */
export const dateChangesOf = (name: string): object => ({
  // The digits of codes and amounts: see `numbersIn`.
  preparse: asItIs,
  postformat: asItIs,
  // 14:07 with a date too, not 下午2点07分.
  ...(name === 'zh-cn' && { longDateFormat: { LLL: 'LL LT' } }),
});
