import { readFileSync, readdirSync } from 'node:fs';
import { english } from '@shared/texts';
import { datesIn } from '@shared/ui/date';
import { dateMessages } from '@shared/ui/date.messages';
import { timeFormatOf } from '@vestibule/contract/times';
import { formatter } from '@lingui/format-po';

describe('a time that is near', () => {
  const now = new Date(2026, 10, 24, 16, 5).getTime();
  it.each([
    ['later today', new Date(2026, 10, 24, 23, 59), '11:59 pm'],
    ['earlier today', new Date(2026, 10, 24, 0, 0), '12:00 am'],
    ['tomorrow', new Date(2026, 10, 25, 0, 0), 'November 25th, 2026 at 12:00 am'],
    ['in a year', new Date(2027, 10, 24, 16, 5), 'November 24th, 2027 at 4:05 pm'],
  ])('is written with its day unless that is today: %s', (_when, at, expected) => {
    expect(datesIn(english).formatTimeNear(at.toISOString(), now)).toBe(expected);
  });
});

const languages = readdirSync('locales').flatMap((file) => /^(.*)\.po$/.exec(file)?.[1] ?? []);

it.each(['en', ...languages])('page and mails in %s use the same format for times', async (language) => {
  const filename = `locales/${language}.po`;
  const written = { locale: language, sourceLocale: 'en', filename };
  const catalogue = language === 'en' ? {} : await formatter().parse(readFileSync(filename, 'utf8'), written);
  const translated = Object.values(catalogue).find(({ context }) => context === 'date.time')?.translation;
  expect(translated ?? dateMessages.time.message).toBe(timeFormatOf(language));
});
