import type { Messages } from '@lingui/core';
import { fetchJson, readCataloguePath } from '@shared/ports/browser/pageLanguage';
import { english, loadWithLanguage, PageI18n } from '@shared/texts';

const translations = new Map([['en', english]]);
/** The files that have been loaded or are being loaded, by path. */
const files = new Map<string, Promise<void>>();
/** The pieces of a catalogue: the texts of `/login`, and those of all other screens. */
let pieces: readonly string[] = ['login'];

/** The translations of a language, as far as they have been loaded. */
export function translationsOf(language: string): PageI18n {
  const known = translations.get(language) ?? new PageI18n(language);
  translations.set(language, known);
  return known;
}

/** Sets what `loadLanguage` loads: the texts of `/login`, or of all screens. */
export function setScreens(screens: 'login' | 'all'): void {
  pieces = screens === 'login' ? ['login'] : ['login', 'rest'];
}

/**
 * Loads the texts of a language, and what else the code that has been loaded needs of it.
 *
 * @throws what `fetch` or `import()` throws
 */
export async function loadLanguage(language: string): Promise<void> {
  const needs = pieces.length + loadWithLanguage.size;
  if (language !== 'en') await Promise.all(pieces.map((piece) => loadOnce(language, piece)));
  await Promise.all(Array.from(loadWithLanguage, (load) => load(language)));
  // More code may have been loaded in the meantime.
  if (needs !== pieces.length + loadWithLanguage.size) await loadLanguage(language);
}

function loadOnce(language: string, piece: string): Promise<void> {
  const path = readCataloguePath()?.replace('*.login', `${language}.${piece}`);
  if (path === undefined) throw new Error(`The page has no catalogue for ${language}.`);
  const load = () => loadFile(language, path);
  // The first screen does not wait for a second request. Others do, as for code.
  const loading = files.get(path) ?? (piece === 'login' ? load() : load().catch(load)).catch(forget(path));
  files.set(path, loading);
  return loading;
}

async function loadFile(language: string, path: string): Promise<void> {
  translationsOf(language).load(language, (await fetchJson(path)) as Messages);
}

const forget = (path: string) => (error: unknown) => {
  files.delete(path);
  throw error;
};
