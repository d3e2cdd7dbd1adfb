import { readFileSync } from 'node:fs';
import { currencyList, digitsOf } from '../../src/confirmations/currencies.ts';

it.each([
  [2, 'EUR USD GBP CHF HUF XCG XCD ZWG SLE MRU MGA VES'],
  [0, 'JPY KRW ISK CLP VND UGX XAF XOF XPF'],
  [3, 'TND KWD BHD JOD OMR IQD LYD'],
])('people pay, with %i digits after the point, with %s', (digits, codes) => {
  expect(codes.split(' ').map(digitsOf)).toEqual(codes.split(' ').map(() => digits));
});

it.each([
  ['withdrawn', 'ANG BGN HRK CUC SLL ZWL DEM USS'],
  ['metals', 'XAU XAG XPT XPD'],
  ['units of account', 'XDR XSU XUA XAD XBA XBB XBC XBD'],
  ['funds and indexed units', 'BOV CHE CHW CLF COU MXV USN UYI UYW'],
  ['for tests and for none', 'XTS XXX'],
  ['no codes', 'ABC EURO eur'],
])('nobody pays with those that are %s: %s', (_what, codes) => {
  expect(codes.split(' ').filter((code) => digitsOf(code) !== undefined)).toEqual([]);
});

/** Renovate proposes a newer version of the list; update its date too. */
it('the list is the version that was noted, and less than a year old', () => {
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { dependencies: Readonly<Record<string, string>> };
  expect(dependencies['countries-list']).toBe(currencyList.version);
  expect((Date.now() - Date.parse(currencyList.published)) / 86_400_000).toBeLessThan(365);
});
