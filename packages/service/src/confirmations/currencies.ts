// Not `Intl`: it has the digits of everyday use, such as none for HUF, and withdrawn currencies.
import { currencies } from 'countries-list/currencies';

/** The version of countries-list, which follows the list of ISO 4217, and when it was published. */
export const currencyList = { version: '3.4.1', published: '2026-07-14' };

/** The list does not tell funds and indexed units from currencies. */
const funds = new Set(['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']);
/** Of the codes that begin with X, only these are currencies. The others are metals, units of account, and codes for tests. */
const ofSeveralCountries = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF']);

const digits = new Map<string, number>(
  Object.entries(currencies).flatMap(([code, { decimals, withdrawn }]) =>
    withdrawn === true || (code.startsWith('X') ? !ofSeveralCountries.has(code) : funds.has(code))
      ? []
      : [[code, decimals]],
  ),
);

/** The digits after the point of a currency with which people pay; `undefined` for any other code. */
export const digitsOf = (code: string): number | undefined => digits.get(code);
