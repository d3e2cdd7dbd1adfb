import fc from 'fast-check';

export { newPassword, oldPassword } from './userCalls.ts';

/** The error for a used, expired, unknown or wrong-kind link, as a credential. */
export const refusedLink = {
  error: { message: 'This link is invalid or has expired.', code: 'invalid_link' },
};

/** Ids that are similar to the issued one. */
export function mangled(id: string): readonly string[] {
  return [
    id.slice(0, -1),
    `${id}A`,
    ` ${id}`,
    `${id}/`,
    `${id}?x=1`,
    `%2e%2e/${id}`,
    id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase(),
    `${id}' or '1'='1`,
    id.repeat(200),
  ];
}

/** Whatever may be in a link's segment: the contract excludes NUL, browsers exclude `.` and `..`. */
export const anySegment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
  .filter((text) => !text.includes('\u0000') && text !== '.' && text !== '..');
