/**
 * Characters that are invisible, or that change the order of what the user reads: control, format, unassigned and private characters,
 * halves of surrogate pairs, line breaks, fillers. The signs around Arabic numbers are format characters, but visible.
 */
const hidden =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])\p{C}|[\p{Zl}\p{Zp}\u2800\u{1d159}]|\p{Default_Ignorable_Code_Point}/u;

/** The emoji that Unicode recommends, with their joiners, variation selectors and tags. TypeScript does not know the flag `v` yet. */
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** Scripts whose letters a joiner joins or separates. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
];
/** A joiner between two letters of one of them; the first one may have marks. */
const joiner = new RegExp(
  joiningScripts
    .map((script) => `(?=\\p{L})\\p{Script=${script}}`)
    .map((letter) => `(?<=${letter}\\p{M}*)[\\u200c\\u200d](?=${letter})`)
    .join('|'),
  'gu',
);

/** A name of marks alone would be invisible. */
const drawn = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * What is wrong with a name, in the form NFC.
 *
 * @returns a predicate in English; `null` for a name that is accepted.
 */
export function faultOfName(name: string): string | null {
  const rest = name.replace(emoji, '*').replace(joiner, '');
  const [notDrawn] = hidden.exec(rest) ?? [];
  if (notDrawn !== undefined) return `has ${codePointOf(notDrawn)}, of which nothing is drawn there`;
  const [blank] = /(?! )\p{Zs}/u.exec(rest) ?? [];
  if (blank !== undefined) return `has the blank ${codePointOf(blank)}: only U+0020 is accepted`;
  if (rest.includes('  ')) return 'has two blanks in a row';
  if (rest.trim() !== rest) return 'begins or ends with a blank';
  return drawn.test(rest) ? null : 'has no character that is drawn';
}

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
