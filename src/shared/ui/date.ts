import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { loadWithLanguage } from '@shared/texts';
import { dateChangesOf, dateLocalesOf } from '@vestibule/contract/times';
import moment from 'moment';
import { dateMessages } from './date.messages';

/** The moment locale of each language that has been loaded. English is built in and is the fallback. */
const locales = new Map([['en', 'en']]);

/** @throws what `import()` throws for a file that cannot be loaded */
async function loadDateLocale(language: string): Promise<void> {
  if (locales.has(language)) return;
  for (const name of dateLocalesOf(language)) {
    try {
      await import(/* webpackMode: "lazy-once" */ `moment/locale/${name}`);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
      // For most languages moment has one locale, without a region.
      continue;
    }
    moment.updateLocale(name, dateChangesOf(name));
    locales.set(language, name);
    return;
  }
}
loadWithLanguage.add(loadDateLocale);

/** Writes times in a language, and in the reader's own time zone. */
export function datesIn(i18n: I18n) {
  const write = (at: moment.MomentInput, format: keyof typeof dateMessages): string =>
    moment(at)
      .locale(locales.get(i18n.locale) ?? 'en')
      .format(i18n._(dateMessages[format]));
  const formatTime = (at: string): string => write(at, 'time');
  return {
    /** @param at ISO 8601 */
    formatTime,
    /** @param at ms since 1970 */
    formatDay: (at: number): string => write(at, 'day'),
    /**
     * A time, alone if it is on the same day as `now`.
     *
     * @param at ISO 8601
     * @param now ms since 1970
     */
    formatTimeNear: (at: string, now: number): string =>
      moment(at).isSame(now, 'day') ? write(at, 'clock') : formatTime(at),
  };
}

/** Writes times in the language of the page. */
export const useDates = () => datesIn(useLingui().i18n);

/** ms since 1970. @param at ISO 8601 */
export const msOf = (at: string): number => moment(at).valueOf();
