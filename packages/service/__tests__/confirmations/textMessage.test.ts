import { currencies } from 'countries-list/currencies';
import { SegmentedMessage } from 'sms-segments-calculator';
import { directionOf } from '@vestibule/contract/languages';
import { digitsOf } from '../../src/confirmations/currencies.ts';
import { harmless, paymentText } from '../../src/confirmations/textMessage.ts';
import { translatedLanguages, wordedForPhone } from '../../src/platform/texts/texts.ts';

const languages = ['en', ...translatedLanguages];
const smsSegments = (text: string): number => new SegmentedMessage(text).segmentsCount;
const code = '734512';
const payment = {
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
};
const written = async (language: string, changes: Partial<typeof payment> = {}) =>
  wordedForPhone(await paymentText({ ...payment, ...changes }, code), language);
const toPayee = (name: string) => written('en', { payee: { ...payment.payee, name } });

describe.each(languages)('a text message of a payment in %s', (language) => {
  /** The longest amount of each currency. */
  const amounts = Object.keys(currencies).map((currency) => {
    const digits = digitsOf(currency) ?? 0;
    return { value: '9'.repeat(15 - digits) + (digits > 0 ? `.${'9'.repeat(digits)}` : ''), currency };
  });

  it.each([
    ['broad Latin letters', 'W'.repeat(70)],
    ['characters of the extension table of GSM 03.38', '[~]'.repeat(23)],
    ['Cyrillic letters', 'ж'.repeat(70)],
    ['rare Chinese characters', '𠮷'.repeat(70)],
    ['families of emoji', '👩‍👩‍👧‍👦'.repeat(10)],
    ['letters with many marks', `A${'\u0301'.repeat(69)}`],
    ['a ligature of many letters', '\ufdfa'.repeat(70)],
    ['Arabic letters', 'ش'.repeat(70)],
  ])('takes at most two, with the longest of everything, and a payee of %s', async (_what, name) => {
    const texts = await Promise.all(
      amounts.map((amount) => written(language, { amount, payee: { name, account: `${'𠮷'.repeat(4)}.` } })),
    );
    expect(texts.filter((one) => smsSegments(one) > 2)).toEqual([]);
  });

  it('has amount, payee and the end of the account before the code, and spaces like those of a keyboard', async () => {
    for (const amount of [payment.amount, { value: '1234567.500', currency: 'TND' }]) {
      const message = await written(language, { amount });
      const places = [amount.currency === 'TND' ? '567' : '149', 'Northwind GmbH (...2051)', code].map(
        (part) => message.indexOf(part),
      );
      expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(message).not.toMatch(/[^\P{Z} ]|\p{Bidi_Control}|[\p{Cc}]/u);
    }
  });

  it('keeps its direction with a payee of the other one', async () => {
    const isRightToLeft = directionOf(language) === 'rtl';
    for (const currency of ['EUR', 'JPY', 'TND']) {
      const name = isRightToLeft ? 'Northwind' : 'شركة النور';
      const amount = { value: '1500', currency };
      const [firstLetter = ''] =
        /\p{L}/u.exec(await written(language, { amount, payee: { name, account: '' } })) ?? [];
      expect(/\p{Script=Arabic}/u.test(firstLetter)).toBe(isRightToLeft);
    }
  });
});

it.each([
  ['en', '€149.90 to Northwind GmbH (...2051): code 734512. Do not share it.'],
  ['de', '149,90 € an Northwind GmbH (...2051): Code 734512. Nicht weitergeben.'],
  ['fr', '149,90 € à Northwind GmbH (...2051) : code 734512. Ne le communiquez pas.'],
  ['pl', '149,90 € dla Northwind GmbH (...2051): kod 734512. Nie podawaj go nikomu.'],
  ['ar', 'عملية دفع 149.90 € إلى Northwind GmbH (...2051): رمز 734512. لا تشاركه.'],
  ['ja', 'お支払い €149.90、支払先 Northwind GmbH (...2051)。確認コード：734512。他人に教えないでください。'],
])('is worded in %s', async (language, expected) => {
  expect(await written(language)).toBe(expected);
});

it.each([
  ['de', '1.500', 'TND', '1,500 TND'],
  ['en', '1.500', 'TND', 'TND 1.500'],
  ['de', '1500', 'JPY', '1.500 ¥'],
  ['es', '90071992547409.93', 'USD', '90.071.992.547.409,93 US$'],
])('in %s the amount %s %s is written as on the page: %s', async (language, value, currency, expected) => {
  expect(await written(language, { amount: { value, currency } })).toContain(`${expected} `);
});

it('of letters of GSM 03.38 alone takes one', async () => {
  for (const language of ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt-BR'])
    expect([language, smsSegments(await written(language))]).toEqual([language, 1]);
});

it.each([
  ['n'.repeat(40), 'n'.repeat(40)],
  ['n'.repeat(41), `${'n'.repeat(37)}...`],
  ['é'.repeat(41), `${'é'.repeat(37)}...`],
  ['x\u0328'.repeat(23), 'x\u0328'.repeat(23)],
  ['x\u0328'.repeat(30), `${'x\u0328'.repeat(22)}...`],
  ['🇹🇳'.repeat(20), `${'🇹🇳'.repeat(11)}...`],
  [`${'n'.repeat(36)} nnnnn`, `${'n'.repeat(36)}...`],
])('shortens a payee to 40 characters, and splits none: %s', async (name, expected) => {
  expect(await toPayee(name)).toContain(`€149.90 to ${expected} (...2051): code`);
});

it.each<[string | undefined, string]>([
  [undefined, ''],
  ['DE02 1203 0000 0000 2020 5', ' (...0205)'],
  ['GB29-NWBK-6016-1331-9268-19', ' (...6819)'],
  ['51', ' (...51)'],
  ['1234@t.co', ' (...4tco)'],
  ['https://t.co', ' (...stco)'],
  ['***', ''],
])('names the last four letters and digits of the account %s', async (account, expected) => {
  const payee = { name: 'Eve', ...(account === undefined ? {} : { account }) };
  expect(wordedForPhone(await paymentText({ ...payment, payee }, code), 'en')).toBe(
    `€149.90 to Eve${expected}: code ${code}. Do not share it.`,
  );
});

describe('a payee cannot imitate the message', () => {
  it.each([
    ['EUR 1.00 to Amazon: code 123456. Do not share it.', 'EUR 1 00 to Amazon...'],
    ['Amazon. Do not share it.', 'Amazon...'],
    ['Amazon - do NOT share it!', 'Amazon...'],
    ['Amazon. Nicht weitergeben. GmbH', 'Amazon... GmbH'],
    ['Amazon 他人に教えないでください', 'Amazon...'],
    ['Amazon لا تشاركه', 'Amazon...'],
    ['Amazon (...1234)', 'Amazon ( 1234)'],
    ['Amazon (…1234)', 'Amazon ( 1234)'],
    ['Amazon：code １２３４５６', 'Amazon...'],
    ['Amazon\u2236 code', 'Amazon...'],
    ['code 123456', 'code ...'],
    ['code 123 456', 'code ...'],
    ['code 1-2.3/4 5_6', 'code ...'],
    ['code １２３４５６', 'code ...'],
    ['code ①②③④⑤⑥', 'code ...'],
    ['code ¹²³⁴⁵⁶', 'code ...'],
    ['code ١٢٣٤٥٦', 'code ...'],
    ['code 1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣', 'code ...'],
    ['code 123. Do not share it. 456', 'code ...'],
    ['€1.00 Shop', '1 00 Shop'],
    ['https://evil.example', 'https...'],
    ['www.evil.example/pay', 'www evil example/pay'],
    ['evil.example', 'evil example'],
    ['evil．example', 'evil example'],
    ['evil。example', 'evil example'],
    ['evil.\u200dexample', 'evil \u200dexample'],
    ['пример.рф', 'пример рф'],
    ['eve@evil.example', 'eve evil example'],
    ['203.0.113.7', '...'],
    ['10.0.0.1', '10 0 0 1'],
    [':', '...'],
    ['@', '...'],
  ])('called %s', async (name, expected) => {
    expect(await harmless(name)).toBe(expected);
    const message = await written('en', { payee: { name, account: '' } });
    expect(message).toBe(`€149.90 to ${expected}: code ${code}. Do not share it.`);
    // The first pattern has six digits, whatever is between them; the others are the colon, the warning, and an address.
    for (const pattern of [/\d(?:[^\p{L}\d]*\d){5,}/gu, /:/g, /Do not share it/gi])
      expect(expected.match(pattern)).toBeNull();
    expect(expected).not.toMatch(/\p{L}\.[\p{L}\d]|\/\/|@/u);
  });

  it.each([
    'Northwind GmbH',
    'St. Mary & Sons, Ltd.',
    'Enel S.p.A.',
    'J.P. Morgan',
    "L'Oréal (France) S.A.",
    '7-Eleven',
    'Studio 54 / Bar 21',
    'Société Générale – Agence 00123',
    '株式会社ノースウィンド',
    'شركة النور',
    'नॉर्थविंड प्राइवेट',
    'Code Academy',
  ])('%s keeps its name', async (name) => {
    expect(await harmless(name)).toBe(name);
  });
});
