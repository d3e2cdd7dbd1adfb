import fc from 'fast-check';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

/** Characters with a meaning in an address, a path or a body, and letters with two forms in Unicode: likely to fail first. */
const delicate = fc.constantFrom(
  ...Array.from('/?#%&=+\\.;:@"\' {}<>~\0\n\u2028\ufeff'),
  ...['%2F', '..', 'e\u0301', '\u212b', '\u1e9b'],
);

/** The id of a one-time link: any character of Unicode, and often one of the special ones. */
export const anyLinkId = fc
  .string({ unit: fc.oneof(delicate, anyCharacter), minLength: 1, maxLength: 40 })
  .filter((id) => id !== '.' && id !== '..');
