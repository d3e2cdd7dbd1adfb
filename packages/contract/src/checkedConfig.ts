import type { AppConfig } from './appConfig.ts';

/**
 * The mark of a checked configuration block: a checksum of its text and of the build, so that neither an edit by hand nor another
 * release goes unchecked. It does not protect against an attacker, who could change the scripts of the page as well.
 *
 * @param build the address of the page's first script, which contains a hash of the build
 */
export function checksumOf(text: string, build: string): string {
  let sum = 0;
  for (const character of build + text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return sum.toString(36);
}

/**
 * The configuration in a block that `fillConfigBlock` has checked, so that the page does not load the code that checks it.
 *
 * @param checksum the attribute `data-checked` of the block
 * @returns `null` for a block that was not checked, was edited since, or belongs to another build
 */
export const checkedConfig = (text: string, checksum: string | undefined, build: string): AppConfig | null =>
  checksum === checksumOf(text, build) ? (JSON.parse(text) as AppConfig) : null;
