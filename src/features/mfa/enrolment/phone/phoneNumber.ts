import {
  parsePhoneNumberFromString,
  type MetadataJson,
  type PhoneNumber as Parsed,
} from 'libphonenumber-js/core';
import metadata from './phoneMetadata.json';
import type { PhoneCountry, PhoneEntry, PhoneNumber } from '../enrolment.slice';

/** Invisible marks in a number that was copied from a contact. */
const invisible = /\p{Cf}/gu;

/**
 * The number as it is sent; `null`: not a number of our countries, or not of the right length. Only the length is
 * checked: the prefixes in use change, and the service decides. The country is US where the number starts with '+1',
 * otherwise GB: docs/behaviour.md#phone.
 */
export function readPhone(entry: PhoneEntry): PhoneNumber | null {
  const parsed = parse(entry);
  return parsed && { phone: parsed.number, countryCode: countryOf(parsed.number) };
}

/** The number in the format of its country; other text stays as it was typed. */
export function formatPhone(entry: PhoneEntry): PhoneEntry {
  const parsed = parse(entry);
  return parsed ? { country: countryOf(parsed.number), text: parsed.formatNational() } : entry;
}

/** The country that the text names by its prefix, as soon as that is typed: '+44…', '0044…'. */
export function recogniseCountry(text: string): PhoneCountry | null {
  const plain = withPlus(text);
  if (plain.startsWith('+1')) return 'US';
  return plain.startsWith('+44') ? 'GB' : null;
}

const countryOf = (e164: string): PhoneCountry => (e164.startsWith('+1') ? 'US' : 'GB');

/** '00' is the international prefix for '+'; no national number of these countries begins with it. */
const withPlus = (text: string): string => text.replace(invisible, '').trim().replace(/^00/, '+');

function parse({ country, text }: PhoneEntry): Parsed | null {
  const parsed = parsePhoneNumberFromString(
    withPlus(text),
    { defaultCountry: country, extract: false },
    // The type wants every country of the library; ours are a part of the same data (a test compares them).
    metadata as unknown as MetadataJson,
  );
  // An extension cannot receive a text message.
  return parsed?.isPossible() && parsed.ext === undefined ? parsed : null;
}
