import {
  parsePhoneNumberFromString,
  type MetadataJson,
  type PhoneNumber as Parsed,
} from 'libphonenumber-js/core';
import metadata from './phoneMetadata.json';
import type { PhoneCountry, PhoneEntry, PhoneNumber } from '../enrolment.slice';

/** Invisible characters, which a number copied from a contact may contain. */
const invisible = /\p{Cf}/gu;

/**
 * Reads the number to send; `null` if it is not of our countries or has a wrong length. Only the length is checked, because
 * the prefixes in use change. See docs/behaviour.md#phone.
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

/** The country of the prefix with which the text begins, such as '+44' or '0044'. */
export function recogniseCountry(text: string): PhoneCountry | null {
  const plain = withPlus(text);
  if (plain.startsWith('+1')) return 'US';
  return plain.startsWith('+44') ? 'GB' : null;
}

const countryOf = (e164: string): PhoneCountry => (e164.startsWith('+1') ? 'US' : 'GB');

/** Replaces '00' by '+'. No national number of these countries begins with '00'. */
const withPlus = (text: string): string => text.replace(invisible, '').trim().replace(/^00/, '+');

function parse({ country, text }: PhoneEntry): Parsed | null {
  const parsed = parsePhoneNumberFromString(
    withPlus(text),
    { defaultCountry: country, extract: false },
    // The type requires every country of the library. Ours are a part of its data, which a test compares.
    metadata as unknown as MetadataJson,
  );
  // An extension cannot receive a text message.
  return parsed?.isPossible() && parsed.ext === undefined ? parsed : null;
}
