import type { AppConfig } from './appConfig.ts';

/** Raise it with each change of the rules in `pageConfigSchema.ts`, so that a page checks a block that an earlier release has marked. */
const rules = 1;

/** A checksum of a configuration block. It finds an edit, not an attack: whoever can write the page can write its scripts. */
export function checksumOf(text: string): string {
  let sum = rules;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return sum.toString(36);
}

/**
 * The configuration in a block that `fillConfigBlock` has checked, so that the page does not load the code that checks it.
 *
 * @param checksum the attribute `data-checked` of the block
 * @returns `null` for a block that was not checked, or was edited since
 */
export const checkedConfig = (text: string, checksum: string | undefined): AppConfig | null =>
  checksum === checksumOf(text) ? (JSON.parse(text) as AppConfig) : null;
