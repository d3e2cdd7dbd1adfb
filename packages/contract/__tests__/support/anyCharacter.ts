import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. The same as fast-check's own unit 'binary', which
 * builds a table of all 1.1 million first, in every test file.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates), indexOf);

/** With it fast-check finds its own dangerous strings (`__proto__`) among those that it may try. */
function indexOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('Not one character');
  if (point < firstSurrogate) return point;
  if (point < firstSurrogate + surrogates) throw new Error('Half of a surrogate pair');
  return point - surrogates;
}
