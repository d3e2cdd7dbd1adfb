import { readFileSync } from 'node:fs';
import { loadWithLanguage, PageI18n } from '@shared/texts';
import { datesIn } from '@shared/ui/date';

/** The date formats in the catalogue of a language, by the id of their message. */
const formatsOf = (language: string) =>
  language === 'en'
    ? {}
    : Object.fromEntries(
        Array.from(
          readFileSync(`locales/${language}.po`, 'utf8').matchAll(
            /^msgctxt "(date\.\w+)"\nmsgid ".*"\nmsgstr "(.*)"$/gm,
          ),
          ([, id = '', format = '']) => [id, [format]],
        ),
      );

/** The dates in a language whose texts have been loaded. */
async function datesOf(language: string) {
  await Promise.all(Array.from(loadWithLanguage, (load) => load(language)));
  const i18n = new PageI18n(language);
  i18n.load(language, formatsOf(language));
  return datesIn(i18n);
}

const at = new Date(2026, 10, 4, 16, 5);

it.each([
  ['en', 'November 4th, 2026 at 4:05 pm', '4:05 pm', 'November 4, 2026'],
  ['ar', '4 نوفمبر 2026 16:05', '16:05', '4 نوفمبر 2026'],
  ['de', '4. November 2026 16:05', '16:05', '4. November 2026'],
  ['es', '4 de noviembre de 2026 16:05', '16:05', '4 de noviembre de 2026'],
  ['fr', '4 novembre 2026 16:05', '16:05', '4 novembre 2026'],
  ['it', '4 novembre 2026 16:05', '16:05', '4 novembre 2026'],
  ['ja', '2026年11月4日 16:05', '16:05', '2026年11月4日'],
  ['nl', '4 november 2026 16:05', '16:05', '4 november 2026'],
  ['pl', '4 listopada 2026 16:05', '16:05', '4 listopada 2026'],
  ['pt-BR', '4 de novembro de 2026 às 16:05', '16:05', '4 de novembro de 2026'],
  ['zh-Hans', '2026年11月4日 16:05', '16:05', '2026年11月4日'],
])('in %s, dates and times have one form and the digits 0 to 9', async (language, time, clock, day) => {
  const { formatTime, formatTimeNear, formatDay } = await datesOf(language);
  expect([
    formatTime(at.toISOString()),
    formatTimeNear(at.toISOString(), at.getTime()),
    formatDay(at.getTime()),
  ]).toEqual([time, clock, day]);
});

it('loading the locale of a language does not change the dates of another one', async () => {
  await Promise.all(Array.from(loadWithLanguage, (load) => load('sv')));
  expect((await datesOf('en')).formatDay(at.getTime())).toBe('November 4, 2026');
});

it('a language without a moment locale has English dates', async () => {
  await Promise.all(Array.from(loadWithLanguage, (load) => load('haw')));
  expect(datesIn(new PageI18n('haw')).formatDay(at.getTime())).toBe('November 4, 2026');
});
