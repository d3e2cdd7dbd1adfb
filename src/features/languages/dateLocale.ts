import moment from 'moment';

/** Loads the moment locale of a language and makes it the current one. English is built in, and the fallback. */
export async function loadDateLocale(tag: string): Promise<void> {
  const { language, region = '' } = new Intl.Locale(tag).maximize();
  for (const name of tag === 'en' ? [] : [`${language}-${region}`.toLowerCase(), language]) {
    try {
      await import(/* webpackMode: "lazy-once" */ `moment/locale/${name}`);
      if (moment.locale(name) === name) return;
    } catch {
      // For most languages moment has one locale, without a region.
    }
  }
  moment.locale('en');
}
