// @ts-check
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { faultsOf } from './faultsOf.mjs';

/**
 * Compares the catalogues of page and service with the texts of the code.
 *
 * @param {string} project the folder of the project
 * @returns {Promise<{ missing: ReadonlyMap<string, readonly string[]>, faults: readonly string[] }>} sentences; those about texts that are not
 *   translated by language
 */
export async function checkTexts(project) {
  const config = getConfig({ cwd: project });
  /** @type {Map<string, string[]>} */
  const missing = new Map();
  /** @type {string[]} */
  const faults = [];
  for (const catalog of await getCatalogs(config)) {
    const texts = Object.entries((await catalog.collect()) ?? {});
    const known = new Set(texts.map(([key]) => key));
    for (const language of config.locales) {
      const file = path.relative(project, catalog.getFilename(language));
      const translations = (await catalog.read(language)) ?? {};
      for (const [key, { context }] of Object.entries(translations))
        if (!known.has(key)) faults.push(`${file}: '${context}' is of a former text. Run \`npm run texts\`.`);
      for (const [key, { message = '', context }] of texts) {
        const translation = translations[key]?.translation ?? '';
        const say = (/** @type {string} */ what) => `${file}: '${context}' ${what}`;
        if (translation === '')
          missing.set(language, [...(missing.get(language) ?? []), say(`is missing: ${message}`)]);
        else
          for (const fault of faultsOf(message, translation, language))
            faults.push(say(`${fault}: ${translation}`));
      }
    }
  }
  return { missing, faults };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { missing, faults } = await checkTexts(process.cwd());
  for (const sentence of [...missing.values()].flat()) console.log(sentence);
  for (const sentence of faults) console.error(sentence);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
