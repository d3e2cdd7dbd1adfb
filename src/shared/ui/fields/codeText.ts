/** Digits of a code. */
export const codeLength = 6;

/** ASCII digits of a text; keyboards of other scripts enter their own (Arabic, Persian, full width). */
function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
    String(digit.charCodeAt(0) & 0xf),
  );
}

/** Whether there is a digit of any keyboard in a text. */
export const hasDigit = (text: string): boolean => /[0-9]/.test(asciiDigits(text));

/** Whether a text can stand in the boxes as it is. */
export const isCodePart = (text: string): boolean => /^[0-9]{0,6}$/.test(text);

/** The code in a text that holds one, such as '123 456', '98 76-54' or a whole message; `null`: too few digits. */
export function wholeCode(text: string): string | null {
  const ascii = asciiDigits(text);
  const digits = ascii.replace(/[^0-9]/g, '');
  if (digits.length < codeLength) return null;
  return /\b[0-9]{6}\b/.exec(ascii)?.[0] ?? digits.slice(0, codeLength);
}

/**
 * What an edit makes of a code. The digits behave as if each had a box: one that is inserted takes the place of the one behind it,
 * and a whole code replaces everything, wherever it is inserted.
 *
 * @param before - the digits before the edit
 * @param text - the field's text after it
 * @param caret - the field's caret after it
 */
export function editCode(
  before: string,
  text: string,
  caret: number,
): { readonly code: string; readonly caret: number } {
  // The text behind the caret and the equal text before the edit are unchanged.
  const behind = before.endsWith(text.slice(caret)) ? text.length - caret : 0;
  const front = text.slice(0, text.length - behind);
  const limit = before.length - behind;
  let kept = 0;
  while (kept < limit && before[kept] === front[kept]) kept += 1;
  const inserted = front.slice(kept);
  const whole = wholeCode(inserted);
  if (whole !== null) return { code: whole, caret: codeLength };
  const digits = asciiDigits(inserted).replace(/[^0-9]/g, '');
  const rest = before.slice(kept === limit ? limit + digits.length : limit);
  const code = (before.slice(0, kept) + digits + rest).slice(0, codeLength);
  return { code, caret: Math.min(kept + digits.length, codeLength) };
}
