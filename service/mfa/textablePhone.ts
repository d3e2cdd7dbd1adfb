import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** The North American plan does not show which numbers are mobile. */
const textableTypes: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);
/** Ofcom's numbers for drama, for tests and demonstrations: no network has them. */
const dramaNumber = /^\+447700900\d{3}$/;

/**
 * Whether a phone of the named country can get a text message. By the numbering plans and not by the prefix: +1 is also
 * Canada's and the Caribbean's, +44 also Jersey's, Guernsey's and the Isle of Man's, and messages to numbers that earn
 * their owner a share of the price are what toll fraud lives on. So are numbers at a premium and forwarded ones.
 *
 * @param phone E.164, and nothing around it.
 */
export function isTextable(phone: string, country: 'US' | 'GB'): boolean {
  if (country === 'GB' && dramaNumber.test(phone)) return true;
  const parsed = parsePhoneNumberFromString(phone);
  return parsed?.number === phone && parsed.country === country && textableTypes.has(parsed.getType());
}
