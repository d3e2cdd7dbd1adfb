import { describeRefusal, type ConfigFault } from '@vestibule/contract/pageConfigMessages';
import { themeSchema } from '@vestibule/contract/pageConfigSchema';
import { describeUnreadable } from '@vestibule/contract/themeStyle';
import * as v from 'valibot';
import { readThemes, ThemesRefused, type Themes } from './themeFiles.ts';

const themedBrand = v.object({
  look: v.picklist(['default', 'epay']),
  theme: v.record(v.string(), v.unknown()),
});
const withFiles = v.object({ logo: v.optional(v.string()), font: v.optional(v.string()) });

/**
 * Checks the keys, the colours and the files of the themes, and reads the files.
 *
 * @param brands as given in the deployment file. Only faults of their themes are reported.
 * @param folder the folder of the file, from which the paths start.
 * @throws ThemesRefused with all faults.
 */
export function checkedThemes(brands: unknown, folder: string): Themes {
  const sentences: string[] = [];
  const files: Record<string, { theme: v.InferOutput<typeof withFiles> }> = {};
  for (const [name, brand] of Object.entries(brands ?? {})) {
    if (!v.is(themedBrand, brand)) continue;
    const { issues = [] } = v.safeParse(themeSchema, brand.theme);
    for (const issue of issues) {
      const key = `brands.${name}.theme.${v.getDotPath(issue) ?? ''}`;
      sentences.push(`page: ${describeRefusal({ key, fault: issue.message as ConfigFault })}.`);
    }
    const wrong = issues.map(({ path }) => path?.[0].key);
    const theme = Object.fromEntries(Object.entries(brand.theme).filter(([key]) => !wrong.includes(key)));
    if (v.is(themeSchema, theme))
      sentences.push(
        ...describeUnreadable(name, { look: brand.look, theme }).map((sentence) => `page.${sentence}`),
      );
    files[name] = { theme: v.parse(withFiles, theme) };
  }
  try {
    const themes = readThemes(files, folder);
    if (sentences.length === 0) return themes;
  } catch (error) {
    if (!(error instanceof ThemesRefused)) throw error;
    sentences.push(...error.sentences.map((sentence) => `page.${sentence}`));
  }
  throw new ThemesRefused(sentences);
}
