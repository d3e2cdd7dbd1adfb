import { dateChangesOf, dateLocalesOf } from '@vestibule/contract/times';
import { isChunkLoadError } from '@shared/api/apiError';
import moment from 'moment';

/** The moment locale of each language that has been loaded. English is built in and is the fallback. */
const locales = new Map([['en', 'en']]);
let shown = 'en';

/** Shows dates in a language that has been loaded. */
export function showDateLocale(tag: string): void {
  shown = moment.locale(locales.get(tag) ?? 'en');
}

/**
 * Loads the moment locale of a language.
 *
 * @throws what `import()` throws for a file that cannot be loaded
 */
export async function loadDateLocale(tag: string): Promise<void> {
  if (locales.has(tag)) return;
  for (const name of dateLocalesOf(tag)) {
    try {
      await import(/* webpackMode: "lazy-once" */ `moment/locale/${name}`);
    } catch (error) {
      if (isChunkLoadError(error)) throw error;
      // For most languages moment has one locale, without a region.
      continue;
    }
    moment.updateLocale(name, dateChangesOf(name));
    // Moment switches to a locale when it is defined, so switch back.
    moment.locale(shown);
    locales.set(tag, name);
    return;
  }
}
