import { setupI18n, type I18n } from '@lingui/core';
import { parts } from '@shared/texts';
import { escapedValue, numbersIn } from '@vestibule/contract/languages';

/** A translation as Lingui compiles it: a text, or the tokens of one with placeholders. */
type Compiled = Parameters<I18n['load']>[1][string];

/** A piece of the catalogue of a language, as the build writes it. */
export interface Piece {
  /** The translations by part and place. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
  /** Only in the piece `login`: the names of the others. */
  readonly others?: readonly string[];
}

type LoadPiece = (path: string) => Promise<Piece>;

/** A text and the object that has it. */
interface Place {
  readonly path: string;
  readonly owner: object;
  readonly key: string;
  readonly english: unknown;
}

/** The texts of each part as it was declared. */
const places = new Map<string, readonly Place[]>();
/** The pieces that have been loaded, by language and name. */
const loaded = new Map<string, Map<string, Promise<Piece> | Piece>>();

/**
 * Loads what the parts of the page need in a language.
 *
 * @param pathOfLogin path of the piece `login`, with `*` for the language; absent if the page is only in English
 * @throws what `load` throws
 */
export async function loadTranslations(
  language: string,
  pathOfLogin: string | undefined,
  load: LoadPiece,
): Promise<void> {
  if (language === 'en') return;
  if (pathOfLogin === undefined) throw new Error(`The page has no catalogue for ${language}.`);
  const pieces = loaded.get(language) ?? new Map<string, Promise<Piece> | Piece>();
  loaded.set(language, pieces);
  const loadOnce = async (name: string): Promise<Piece> => {
    const loading = pieces.get(name) ?? load(pathOfLogin.replace('*.login', `${language}.${name}`));
    pieces.set(name, loading);
    try {
      const piece = await loading;
      pieces.set(name, piece);
      return piece;
    } catch (error) {
      pieces.delete(name);
      throw error;
    }
  };
  const { others = [] } = await loadOnce('login');
  const names = new Set([...parts.keys()].map(pieceOf));
  await Promise.all(others.filter((name) => names.has(name)).map(loadOnce));
}

const pieceOf = (part: string): string => part.replace(/\/.*/, '');

/** A text that has just been replaced, and the last segment of its place. */
export interface Replaced {
  readonly key: string;
  readonly former: string;
  readonly next: string;
}

/**
 * Replaces the texts of all parts by the loaded translations. A text without a translation becomes English.
 *
 * @returns what was replaced, without texts that have values
 */
export function showTranslations(language: string): readonly Replaced[] {
  const pieces = loaded.get(language);
  const replaced: Replaced[] = [];
  const locales = numbersIn(language);
  for (const [part, texts] of parts) {
    const own = places.get(part) ?? placesIn(texts);
    places.set(part, own);
    const piece = pieces?.get(pieceOf(part));
    const translated = (piece && 'texts' in piece ? piece.texts[part] : undefined) ?? {};
    const i18n = setupI18n({ locale: language, locales, messages: { [language]: translated } });
    for (const { path, owner, key, english } of own) {
      const found = Object.hasOwn(translated, path) ? translated[path] : undefined;
      const shown =
        typeof english === 'function'
          ? (...values: readonly unknown[]) =>
              i18n._(path, Object.fromEntries(values.map(escapedValue).entries()))
          : found;
      const former: unknown = Reflect.get(owner, key);
      const next = found === undefined ? english : shown;
      if (typeof former === 'string' && typeof next === 'string') replaced.push({ key, former, next });
      Reflect.set(owner, key, next);
    }
  }
  return replaced;
}

function placesIn(owner: object, prefix = ''): readonly Place[] {
  return Object.entries(owner).flatMap(([key, english]: [string, unknown]) =>
    typeof english === 'object' && english !== null
      ? placesIn(english, `${prefix}${key}.`)
      : [{ path: prefix + key, owner, key, english }],
  );
}
