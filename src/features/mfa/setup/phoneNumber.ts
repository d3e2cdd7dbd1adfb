import {
  parsePhoneNumberFromString,
  type MetadataJson,
  type PhoneNumber as Parsed,
} from 'libphonenumber-js/core';
import metadata from './phoneMetadata.json';
import type { PhoneCountry, PhoneEntry, PhoneNumber } from './setup.slice';

/** Invisible marks that a number copied from a contact brings along. */
const invisible = /\p{Cf}/gu;

/**
 * The number that was typed, as it is sent; `null`: none of the countries that we send to, or not as long as theirs.
 * Length is all that is checked: which prefixes are in use changes faster than we are built, and the service decides.
 * The country is US where the number starts with '+1', otherwise GB (specification §5).
 */
export function readPhone(entry: PhoneEntry): PhoneNumber | null {
  const parsed = parse(entry);
  return parsed && { phone: parsed.number, countryCode: countryOf(parsed.number) };
}

/** The same number as it is written in its country; what is no number stays as it was typed. */
export function formatPhone(entry: PhoneEntry): PhoneEntry {
  const parsed = parse(entry);
  return parsed ? { country: countryOf(parsed.number), text: parsed.formatNational() } : entry;
}

/** The country that the text names by its own prefix, at the first sight of it: '+44…', '0044…'. */
export function recogniseCountry(text: string): PhoneCountry | null {
  const plain = withPlus(text);
  if (plain.startsWith('+1')) return 'US';
  return plain.startsWith('+44') ? 'GB' : null;
}

const countryOf = (e164: string): PhoneCountry => (e164.startsWith('+1') ? 'US' : 'GB');

/** Written abroad, '00' stands for the plus; no number of our countries begins with it. */
const withPlus = (text: string): string => text.replace(invisible, '').trim().replace(/^00/, '+');

function parse({ country, text }: PhoneEntry): Parsed | null {
  const parsed = parsePhoneNumberFromString(
    withPlus(text),
    { defaultCountry: country, extract: false },
    // The type wants every country of the library; ours are cut out of the same data (the test compares them).
    metadata as unknown as MetadataJson,
  );
  // An extension cannot receive a text message.
  return parsed?.isPossible() && parsed.ext === undefined ? parsed : null;
}
