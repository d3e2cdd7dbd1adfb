import { dateChangesOf, dateLocalesOf } from '@vestibule/contract/times';
import moment from 'moment';

/** Loads the moment locale of a language and makes it the current one. English is built in, and the fallback. */
export async function loadDateLocale(tag: string): Promise<void> {
  for (const name of tag === 'en' ? [] : dateLocalesOf(tag)) {
    try {
      await import(/* webpackMode: "lazy-once" */ `moment/locale/${name}`);
      if (moment.locale(name) !== name) continue;
      moment.updateLocale(name, dateChangesOf(name));
      return;
    } catch {
      // For most languages moment has one locale, without a region.
    }
  }
  moment.locale('en');
}
