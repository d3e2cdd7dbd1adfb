import * as v from 'valibot';

/*
 * Schemas of values in a file of accounts. Each message continues a sentence that starts with the name of the key.
 */

// Control characters are refused, because PostgreSQL cannot store NUL and names contain none.
export const word = v.pipe(v.string('must be text'), v.regex(/^\P{Cc}+$/u, 'must be text, on one line'));
export const short = v.pipe(word, v.maxLength(256, 'must not be longer than 256 characters'));
export const time = v.pipe(
  v.string('must be a time'),
  v.isoTimestamp('must be a time such as 2026-03-01T09:30:00.000Z'),
  v.transform((given) => new Date(given)),
);
