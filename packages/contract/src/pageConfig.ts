import * as v from 'valibot';
import type { AppConfig } from './appConfig.ts';
import type { ConfigFault, ConfigRefusal } from './pageConfigMessages.ts';
import { configSchema, conflictIn } from './pageConfigSchema.ts';

/** The result of reading the configuration block. */
export type ConfigResult =
  { readonly ok: true; readonly config: AppConfig } | { readonly ok: false; readonly refusal: ConfigRefusal };

/** Name of the block itself. */
const block = 'app-config';

/**
 * Reads the configuration block. Never throws: the result is a valid configuration, or the first invalid key.
 *
 * @param text content of the block; `null` if the page has none.
 */
export function parseConfig(text: string | null): ConfigResult {
  if (text === null) return refused(block, 'noBlock');
  const json = parseJson(text);
  if (json === undefined) return refused(block, 'noJson');
  const result = v.safeParse(configSchema, json, { abortEarly: true });
  if (result.success) {
    const refusal = conflictIn(result.output);
    return refusal ? { ok: false, refusal } : { ok: true, config: result.output };
  }
  const [{ path, message }] = result.issues;
  if (!path) return refused(block, 'noObject');
  return refused(path.map(({ key }) => String(key)).join('.'), message as ConfigFault);
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
