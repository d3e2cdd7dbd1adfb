import { formatAmount } from '@vestibule/contract/amount';

/** Without the marks of direction, and with plain spaces. */
const plain = (text: string) => text.replace(/\p{Cf}/gu, '').replace(/\p{Zs}/gu, ' ');

it.each([
  ['149.90', 'EUR', '€149.90'],
  ['1500', 'JPY', '¥1,500'],
  ['1.500', 'KWD', 'KWD 1.500'],
  ['0.10', 'USD', '$0.10'],
  // Neither fits into a floating-point number.
  ['9999999999999.99', 'EUR', '€9,999,999,999,999.99'],
  ['999999999999999', 'JPY', '¥999,999,999,999,999'],
  ['90071992547409.93', 'EUR', '€90,071,992,547,409.93'],
  // The digits are those of the payment, also where the browser would write others.
  ['12.5', 'EUR', '€12.5'],
  ['1', 'EUR', '€1'],
  ['1.2345', 'CLF', 'CLF 1.2345'],
])('%s %s is written as %s, digit by digit', (value, currency, expected) => {
  expect(plain(formatAmount({ value, currency }, 'en'))).toBe(expected);
});

it.each([
  ['de', '1.234,50 €'],
  ['fr', '1 234,50 €'],
  ['pt-BR', '€ 1.234,50'],
  ['ja', '€1,234.50'],
  ['ar', '1,234.50 €'],
  ['ar-EG', '1,234.50 €'],
  ['fa', '€ 1,234.50'],
])('in %s an amount is written as %s', (language, expected) => {
  expect(plain(formatAmount({ value: '1234.50', currency: 'EUR' }, language))).toBe(expected);
});

it.each([
  ['[redacted]', 'EUR', '[redacted] EUR'],
  ['1e3', 'EUR', '1e3 EUR'],
  ['149.90', 'Points', '149.90 Points'],
])('%s %s, which is no amount, is shown as it is', (value, currency, expected) => {
  expect(formatAmount({ value, currency }, 'en')).toBe(expected);
});
