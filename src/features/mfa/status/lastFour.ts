/** Last four digits of a phone number, however the service writes or masks it; `null`: it does not end in four. */
export function lastFourOf(phoneNumber: string): string | null {
  const digits = phoneNumber.replace(/[\s().-]/g, '');
  return /[0-9]{4}$/.exec(digits)?.[0] ?? null;
}
