/** The number of digits of a code. */
export const codeLength = 6;

/** A text with the digits of every script (Arabic, Devanagari, full width, mathematical) as ASCII digits. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    // In Unicode the ten digits of a script are consecutive, and some sets directly follow another set.
    let before = code;
    while (isDigit(String.fromCodePoint(before - 1))) before -= 1;
    return String((code - before) % 10);
  });

/** Whether a text is a single digit of any script, which may be two UTF-16 units. */
export const isDigit = (text: string): boolean => /^\p{Nd}$/u.test(text);

/** Whether there is a digit of any script in a text. */
export const hasDigit = (text: string): boolean => /\p{Nd}/u.test(text);

/** Whether a text consists of ASCII digits. */
export const isCodePart = (text: string): boolean => /^[0-9]{0,6}$/.test(text);

/** Six digits, or three and three, that are not part of a longer number, a date, a time, an amount or a word. */
const codeGroup =
  /(?<![\w\p{Sc}]|[\d\p{Sc}][\p{Zs}\p{Pd}.:/])\d{3}[\p{Zs}\p{Pd}\u2212]?\d{3}(?![\w\p{Sc}]|[\p{Zs}\p{Pd}.:/][\d\p{Sc}])/gu;

/** The digits of a text; empty for a text with words, amounts, times or dates. */
const scatteredDigits = (ascii: string): string =>
  /[\p{L}\p{Sc}:/]/u.test(ascii) ? '' : ascii.replace(/\D/g, '');

/**
 * Finds the code in a text such as '123 456', '98 76-54' or a whole message; `null` without one, or if several groups could
 * be the code, because a wrong one might be submitted automatically.
 */
export function wholeCode(text: string): string | null {
  // Removes the invisible marks of right-to-left messages.
  const ascii = asciiDigits(text).replace(/\p{Cf}/gu, '');
  const groups = new Set(Array.from(ascii.matchAll(codeGroup), ([group]) => group.replace(/\D/g, '')));
  if (groups.size === 0) groups.add(scatteredDigits(ascii));
  const [code = '', ...others] = groups;
  return code.length === codeLength && others.length === 0 ? code : null;
}

interface CodeEdit {
  readonly code: string;
  readonly caret: number;
  /** More digits were entered than there are boxes, so it is not certain that this is the code. */
  readonly isCut: boolean;
}

/**
 * Applies an edit to a code. An inserted digit replaces the one after it, as if each had a box, and a whole code replaces
 * everything, wherever it is inserted.
 *
 * @param before - the digits before the edit
 * @param text - the field's text after it
 * @param caret - the field's caret after it
 */
export function editCode(before: string, text: string, caret: number): CodeEdit {
  // The text behind the caret and the equal text before the edit are unchanged.
  const behind = before.endsWith(text.slice(caret)) ? text.length - caret : 0;
  const front = text.slice(0, text.length - behind);
  const limit = before.length - behind;
  let kept = 0;
  while (kept < limit && before[kept] === front[kept]) kept += 1;
  const inserted = front.slice(kept);
  // A message that a script sets may begin with the digits that are already entered.
  const whole = wholeCode(/\p{L}/u.test(inserted) ? text : inserted);
  if (whole !== null) return { code: whole, caret: codeLength, isCut: false };
  const digits = scatteredDigits(asciiDigits(inserted));
  const rest = before.slice(kept === limit ? limit + digits.length : limit);
  const code = before.slice(0, kept) + digits + rest;
  return {
    code: code.slice(0, codeLength),
    caret: Math.min(kept + digits.length, codeLength),
    isCut: code.length > codeLength,
  };
}
