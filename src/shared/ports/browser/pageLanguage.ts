/** The languages of the browser, the best first. */
export const pageLanguages = (): readonly string[] => navigator.languages;

/** Tells the browser and screen readers the language of the page. */
export function writePageLanguage(language: string, direction: 'ltr' | 'rtl'): void {
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
}

/** The path of the first piece of a catalogue, with `*` for the language, which the host has written into the page. */
export function readCataloguePath(): string | undefined {
  return (JSON.parse(document.getElementById('languages')?.textContent ?? '[]') as readonly string[])[0];
}

/** A catalogue that takes longer is given up, ms: every screen waits for its texts. */
const timeoutMs = 8_000;

/**
 * Reads a JSON file of this host.
 *
 * @throws Error if it cannot be loaded
 */
export async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(path, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${path} has status ${response.status}.`);
  return await response.json();
}
