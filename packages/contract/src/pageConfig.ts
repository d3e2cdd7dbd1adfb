import * as v from 'valibot';
import type { AppConfig } from './appConfig.ts';
import type { ConfigFault, ConfigRefusal } from './pageConfigMessages.ts';
import { configSchema, conflictIn } from './pageConfigSchema.ts';
import { themeSelector } from './themeSelector.ts';

/** The result of reading the configuration block. */
export type ConfigResult =
  { readonly ok: true; readonly config: AppConfig } | { readonly ok: false; readonly refusal: ConfigRefusal };

/** What `fillPage` writes into a page besides the block. */
export interface FilledParts {
  /** The texts of the languages; `null` if the page has none. */
  readonly languages: string | null;
  /** The `<head>`, with the style sheet of the themes. */
  readonly head: string;
}

/** Name of the block itself. */
const block = 'app-config';

/**
 * Reads the configuration block. Never throws: the result is a valid configuration, or the first invalid key.
 *
 * @param text content of the block; `null` if the page has none.
 * @param filled of the page that the block is in; absent: the page is still to be filled.
 */
export function parseConfig(text: string | null, filled?: FilledParts): ConfigResult {
  if (text === null) return refused(block, 'noBlock');
  const json = parseJson(text);
  if (json === undefined) return refused(block, 'noJson');
  const result = v.safeParse(configSchema, json, { abortEarly: true });
  if (result.success) {
    const refusal = conflictIn(result.output) ?? (filled ? unfilledIn(result.output, filled) : null);
    return refusal ? { ok: false, refusal } : { ok: true, config: result.output };
  }
  const [{ path, message }] = result.issues;
  if (!path) return refused(block, 'noObject');
  return refused(path.map(({ key }) => String(key)).join('.'), message as ConfigFault);
}

const refused = (key: string, fault: ConfigFault): ConfigResult => ({ ok: false, refusal: { key, fault } });

/** Finds a key that lists what the page does not have; `null` if there is none. */
function unfilledIn({ brands, languages = [] }: AppConfig, filled: FilledParts): ConfigRefusal | null {
  const written = parseJson(filled.languages ?? '');
  const texts: readonly unknown[] = Array.isArray(written) ? written.slice(1) : [];
  // The texts of English are in the code.
  const isFilled = languages.every((language, index) => (language === 'en') === !texts[index]);
  if (!isFilled) return { key: 'languages', fault: 'unfilled' };
  const [name] =
    Object.entries(brands).find(
      ([brand, { theme }]) => theme !== undefined && !filled.head.includes(themeSelector(brand)),
    ) ?? [];
  return name === undefined ? null : { key: `brands.${name}.theme`, fault: 'unfilled' };
}

/** `undefined`, which JSON cannot express, for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
