/**
 * The declared texts by part, such as 'auth/challenge'. The segment before '/' names the piece of a catalogue that contains their
 * translations. The piece `login` loads before the first screen.
 */
export const parts = new Map<string, object>();

/** Set by the feature `languages` where the configuration offers languages. */
export const translations: {
  /** The language that is shown. Calls send it as `Accept-Language`. */
  language?: string;
  /** Shows the translations of all parts, also of those that have just been loaded. */
  complete?: () => Promise<void>;
} = {};

/** Declares the texts of a part in English. Translations replace them in place, so read a text when you show it: a copy keeps its language. */
export function texts<Texts extends object>(part: string, english: Texts): Texts {
  parts.set(part, english);
  return english;
}
