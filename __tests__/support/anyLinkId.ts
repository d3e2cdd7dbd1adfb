import fc from 'fast-check';

/** What means something in an address, a path or a body, and letters that Unicode writes in two ways: they go wrong first. */
const delicate = fc.constantFrom(
  ...Array.from('/?#%&=+\\.;:@"\' {}<>~\0\n\u2028\ufeff'),
  ...['%2F', '..', 'e\u0301', '\u212b', '\u1e9b'],
);

const anyCharacter = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });

/** The id of a one-time link: every character of Unicode, and often one of the delicate. */
export const anyLinkId = fc
  .string({ unit: fc.oneof(delicate, anyCharacter), minLength: 1, maxLength: 40 })
  .filter((id) => id !== '.' && id !== '..');
