/** An amount of money. */
export interface Amount {
  /** A decimal number. */
  readonly value: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** What `NumberFormat` reads as a decimal number, without loss of digits. */
const isDecimal = (value: string): value is `${number}` => /^\d+(?:\.\d+)?$/.test(value);

/**
 * Writes an amount in a language, with the digits 0 to 9, and keeps all of its digits. It is never converted into a floating-point number,
 * which would change long amounts. Values that are no amount, such as masked ones, are shown as they are.
 *
 * @param language BCP 47.
 */
export function formatAmount({ value, currency }: Amount, language: string): string {
  if (!isDecimal(value) || !/^[A-Z]{3}$/.test(currency)) return `${value} ${currency}`;
  const digits = value.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    numberingSystem: 'latn',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}
