import type { AppConfig } from '@shared/platform/appConfig';
import * as v from 'valibot';
import { configMessages as words } from './config.messages';
import { configSchema } from './configSchema';

/** What became of the configuration block; `key` is dotted (`cookies.prefix`), `message` names it. */
export type ConfigResult =
  | { readonly ok: true; readonly config: AppConfig }
  | { readonly ok: false; readonly key: string; readonly message: string };

/** Name of the block itself, where no single key is to blame. */
const block = 'app-config';

/**
 * Reads the configuration block (decisions §1). Total: whatever the text, the answer is a configuration that holds
 * together or the first key that does not.
 *
 * @param text - content of the block; `null` when the page has none
 */
export function parseConfig(text: string | null): ConfigResult {
  if (text === null) return refused(block, words.noBlock(block));
  const json = parseJson(text);
  if (json === undefined) return refused(block, words.noJson(block));
  const result = v.safeParse(configSchema, json, { abortEarly: true });
  if (result.success) return { ok: true, config: result.output };
  const [issue] = result.issues;
  const key = v.getDotPath(issue);
  if (key === null) return refused(block, words.noObject(block));
  const fault = issue.received === 'undefined' ? words.missing : issue.message;
  return refused(key, words.key(key, fault));
}

const refused = (key: string, message: string): ConfigResult => ({ ok: false, key, message });

/** `undefined`, which JSON cannot express, for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
