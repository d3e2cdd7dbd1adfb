import { translations } from '@shared/texts';
import type { Confirmation } from './confirmations.calls';

/** What `NumberFormat` reads as a decimal number, digit by digit. */
const isDecimal = (value: string): value is `${number}` => /^\d+(?:\.\d+)?$/.test(value);

/**
 * Writes an amount in the reader's language, with the digits that it has. It is never converted into a floating-point number,
 * which would change long amounts. In a recording, value and currency are masked, and shown as they are.
 */
export function formatAmount({ value, currency }: Confirmation['payment']['amount']): string {
  if (!isDecimal(value) || !/^[A-Z]{3}$/.test(currency)) return `${value} ${currency}`;
  const digits = value.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(translations.language ?? 'en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}
