import type { AppConfig } from './appConfig.ts';
import { Refusal } from './read.ts';
import type { ConfigFault, ConfigRefusal } from './pageConfigMessages.ts';
import { readConfig } from './pageConfigSchema.ts';

/** What became of the configuration block. */
export type ConfigResult =
  { readonly ok: true; readonly config: AppConfig } | { readonly ok: false; readonly refusal: ConfigRefusal };

/** Name of the block itself. */
const block = 'app-config';

/**
 * Reads the configuration block. Never throws: the answer is a consistent configuration or the first key that is wrong.
 *
 * @param text - content of the block; `null` when the page has none
 */
export function parseConfig(text: string | null): ConfigResult {
  if (text === null) return refused(block, 'noBlock');
  const json = parseJson(text);
  if (json === undefined) return refused(block, 'noJson');
  try {
    return { ok: true, config: readConfig(json, '') };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Every fault of the readers but the whole block's has words.
    return error.key === '' ? refused(block, 'noObject') : refused(error.key, error.fault as ConfigFault);
  }
}

const refused = (key: string, fault: ConfigFault): ConfigResult => ({ ok: false, refusal: { key, fault } });

/** `undefined`, which JSON cannot express, for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
