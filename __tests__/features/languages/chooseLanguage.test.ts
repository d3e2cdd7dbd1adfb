import { chooseLanguage, directionOf } from '@vestibule/contract/languages';

const offered = ['en', 'es', 'de', 'pt-BR', 'zh-Hans', 'ar'];
const chosen = (wishes: { cookie?: string; search?: string; browser?: readonly string[] }) =>
  chooseLanguage(offered, wishes.cookie, wishes.search ?? '', wishes.browser ?? []);

it.each([
  ['that of the cookie before all others', { cookie: 'es', search: '?ui_locales=de', browser: ['ar'] }, 'es'],
  ['that of the address before the browser’s', { search: '?ui_locales=de', browser: ['ar'] }, 'de'],
  ['the first known one of the address', { search: '?ui_locales=xx%20fr%20de', browser: ['ar'] }, 'de'],
  ['the first known one of the browser', { browser: ['fr', 'de', 'es'] }, 'de'],
  ['that of another region', { browser: ['de-AT'] }, 'de'],
  ['that of the usual script', { browser: ['zh-CN'] }, 'zh-Hans'],
  ['that of another script, before the next wish', { browser: ['zh-TW', 'de'] }, 'zh-Hans'],
  ['the only one of a language with regions', { browser: ['pt'] }, 'pt-BR'],
  ['that of a neighbouring region', { browser: ['pt-PT'] }, 'pt-BR'],
  ['in any spelling', { browser: ['PT-br'] }, 'pt-BR'],
  ['not an unknown cookie', { cookie: 'fr', browser: ['de'] }, 'de'],
  ['not what is no language', { cookie: '*', search: '?ui_locales=_,*', browser: ['', 'x', 'ar-EG'] }, 'ar'],
  ['the default', { browser: ['fr', 'ja'] }, 'en'],
])('the language is %s', (_what, wishes, expected) => {
  expect(chosen(wishes)).toBe(expected);
});

it.each([
  [['zh-TW'], 'zh-Hant'],
  [['zh-HK'], 'zh-Hant'],
  [['zh-CN'], 'zh-Hans'],
  [['zh-SG'], 'zh-Hans'],
  [['zh'], 'zh-Hans'],
])('where both scripts of Chinese are offered, a browser in %s gets its own script', (browser, expected) => {
  expect(chooseLanguage(['en', 'zh-Hans', 'zh-Hant'], undefined, '', browser)).toBe(expected);
  expect(chooseLanguage(['en', 'zh-Hant', 'zh-Hans'], undefined, '', browser)).toBe(expected);
});

it('the language is the same tag before one of another region', () => {
  expect(chooseLanguage(['en', 'de-CH', 'de'], undefined, '', ['de'])).toBe('de');
});

it('Arabic and Hebrew are written from right to left', () => {
  expect(['en', 'zh-Hans', 'ar', 'he', 'az-Arab', '*'].map(directionOf)).toEqual([
    ...['ltr', 'ltr', 'rtl', 'rtl', 'rtl', 'ltr'],
  ]);
});
