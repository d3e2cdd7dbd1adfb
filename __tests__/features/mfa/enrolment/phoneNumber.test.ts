/** @jest-environment node */
import { formatPhone, readPhone, recogniseCountry } from '@features/mfa/enrolment/phone/phoneNumber';
import own from '@features/mfa/enrolment/phone/phoneMetadata.json';
import type { PhoneCountry, PhoneEntry } from '@features/mfa/enrolment/enrolment.slice';
import fc from 'fast-check';
import library from 'libphonenumber-js/metadata.min.json';

const us = (text: string): PhoneEntry => ({ country: 'US', text });
const gb = (text: string): PhoneEntry => ({ country: 'GB', text });

describe('a phone number', () => {
  it.each<[PhoneEntry, string, PhoneCountry]>([
    [us('2025550143'), '+12025550143', 'US'],
    [us('(202) 555-0143'), '+12025550143', 'US'],
    [us('202.555.0143'), '+12025550143', 'US'],
    [us('1 202 555 0143'), '+12025550143', 'US'],
    [us('+1 202 555 0143'), '+12025550143', 'US'],
    [us('+1 416 555 0143'), '+14165550143', 'US'],
    [us('٢٠٢٥٥٥٠١٤٣'), '+12025550143', 'US'],
    [gb('07700 900123'), '+447700900123', 'GB'],
    [gb('7700 900123'), '+447700900123', 'GB'],
    [gb('+44 (0)7700 900123'), '+447700900123', 'GB'],
    [us('+44 7700 900123'), '+447700900123', 'GB'],
    [us('0044 7700 900123'), '+447700900123', 'GB'],
    [gb('+1 202 555 0143'), '+12025550143', 'US'],
    [us('\u202a+44 7700 900123\u202c'), '+447700900123', 'GB'],
  ])('%j is sent as %s of %s', (entry, phone, countryCode) => {
    expect(readPhone(entry)).toEqual({ phone, countryCode });
  });

  it.each<PhoneEntry>([
    us(''),
    us('+'),
    us('+1'),
    us('555-0143'),
    us('20255501435'),
    us('447700900123'),
    us('+33 6 12 34 56 78'),
    gb('+49 1512 3456789'),
    us('2025550143 ext. 5'),
    us('call 2025550143'),
    us('1-800-FLOWERS'),
    gb('0'),
    us('9'.repeat(400)),
  ])('is rejected in %j', (entry) => {
    expect(readPhone(entry)).toBeNull();
    expect(formatPhone(entry)).toEqual(entry);
  });

  it.each<[PhoneEntry, PhoneEntry]>([
    [us('2025550143'), us('(202) 555-0143')],
    [us('+44 7700 900123'), gb('07700 900123')],
    [gb('+12025550143'), us('(202) 555-0143')],
    [gb('07700900123'), gb('07700 900123')],
  ])('%j is formatted as %j', (entry, written) => {
    expect(formatPhone(entry)).toEqual(written);
  });

  it('is the same number with any spacing, and after formatting', () => {
    const spaced = (digits: string, gaps: readonly string[]) =>
      Array.from(digits, (digit, index) => digit + (gaps[index] ?? '')).join('');
    const gaps = fc.array(fc.constantFrom('', ' ', '-', '.'), { minLength: 12, maxLength: 12 });
    const national = fc.oneof(
      fc.stringMatching(/^[2-9][0-9]{9}$/).map((digits) => ({ digits, of: 'US' as const, prefix: '+1' })),
      fc.stringMatching(/^7[0-9]{9}$/).map((digits) => ({ digits, of: 'GB' as const, prefix: '+44' })),
    );
    fc.assert(
      fc.property(national, gaps, fc.boolean(), ({ digits, of, prefix }, between, abroad) => {
        const text = spaced(digits, between);
        const entry = abroad
          ? { country: of === 'US' ? ('GB' as const) : ('US' as const), text: `${prefix} ${text}` }
          : { country: of, text };
        const sent = { phone: prefix + digits, countryCode: of };
        expect(readPhone(entry)).toEqual(sent);
        expect(readPhone(formatPhone(entry))).toEqual(sent);
      }),
    );
  });

  it('is E.164 of one of the two countries, or rejected, for any input', () => {
    const anyText = fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ().-]{0,24}$/));
    fc.assert(
      fc.property(anyText, fc.constantFrom<PhoneCountry>('US', 'GB'), (text, country) => {
        const entry = { country, text };
        const number = readPhone(entry);
        expect(number?.phone ?? '+10').toMatch(/^\+(?:1|44)[0-9]{1,13}$/);
        // Section 5 of the specification, to the letter.
        expect(number?.countryCode ?? 'US').toBe((number?.phone ?? '+1').startsWith('+1') ? 'US' : 'GB');
        expect(readPhone(formatPhone(entry))).toEqual(number);
        expect(formatPhone(formatPhone(entry))).toEqual(formatPhone(entry));
      }),
      { numRuns: 500 },
    );
  });
});

it.each<[string, PhoneCountry | null]>([
  ['+1', 'US'],
  ['+1 202', 'US'],
  ['+44', 'GB'],
  ['+447', 'GB'],
  ['0044', 'GB'],
  ['\u202a+44 7700', 'GB'],
  ['  +44', 'GB'],
  ['+4', null],
  ['+', null],
  ['', null],
  ['44', null],
  ['2025550143', null],
  ['+33', null],
])('the country of a text in %j is %s', (text, country) => {
  expect(recogniseCountry(text)).toBe(country);
});

it('the country data is that of the installed library version', () => {
  expect(own).toEqual({
    version: library.version,
    country_calling_codes: { '1': ['US'], '44': ['GB'] },
    countries: { US: library.countries.US, GB: library.countries.GB },
  });
});
