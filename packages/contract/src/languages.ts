/**
 * The language of the cookie, else of `ui_locales`, else of the browser, else the default. What is unknown is ignored.
 *
 * @param offered languages of the configuration, the default first
 * @param cookie the value of the cookie `{prefix}-language`
 * @param search the query of the address, which may have `ui_locales`
 * @param browser the languages of the browser, the best first
 */
export function chooseLanguage(
  offered: readonly string[],
  cookie: string | undefined,
  search: string,
  browser: readonly string[],
): string {
  const asked = (new URLSearchParams(search).get('ui_locales') ?? '').split(' ');
  return (
    offered.find((one) => one === cookie) ??
    matchLanguage(offered, [...asked, ...browser, ...offered]) ??
    'en'
  );
}

/**
 * The best match for the first tag that has one, or `undefined`: the same tag, otherwise one of its language and script, otherwise one of its
 * language.
 *
 * @param wishes BCP 47 tags, the preferred one first
 * @param read `formsOf`, or one that remembers its results
 */
export function matchLanguage(
  offered: readonly string[],
  wishes: readonly string[],
  read = formsOf,
): string | undefined {
  const forms = wishes.flatMap((wish) => read(wish));
  return forms.flatMap((form) => offered.filter((one) => read(one).includes(form)))[0];
}

/** The tag with its likely script and region, with the script, and its language: 'zh-Hans-CN', 'zh-Hans' and 'zh'. Nothing if it is invalid. */
export function formsOf(tag: string): readonly string[] {
  try {
    const { baseName, language, script } = new Intl.Locale(tag).maximize();
    return [baseName, [language, script].join('-'), language];
  } catch {
    return [];
  }
}

/**
 * The language with the digits 0 to 9, for `Intl`. Codes, phone numbers and accounts have these digits in every language, so counts, times
 * and amounts have them too.
 */
export const numbersIn = (language: string): string =>
  new Intl.Locale(language, { numberingSystem: 'latn' }).toString();

/** A value for a placeholder. Lingui would decode escapes such as `\x41` in it. */
export const escapedValue = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\\', '\\x5c') : value;

/** The direction in which a language is written. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  /-(?:Adlm|Arab|Hebr|Nkoo|Syrc|Thaa)\b/.test(formsOf(language)[0] ?? '') ? 'rtl' : 'ltr';
