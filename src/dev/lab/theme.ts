import type { AppConfig } from '@vestibule/contract/appConfig';
import { parseConfig } from '@vestibule/contract/pageConfig';
import { describeRefusal } from '@vestibule/contract/pageConfigMessages';
import { describeUnreadable, themedBrands, themeStyle } from '@vestibule/contract/themeStyle';

type Themed =
  | { readonly ok: true; readonly config: AppConfig; readonly style: string }
  | { readonly ok: false; readonly problem: string };

/** Gives every brand a theme, which is checked as at the start of a deployment. Files of a theme are not loaded. */
export function withTheme(config: AppConfig, text: string): Themed {
  let theme: unknown;
  try {
    theme = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: String(error) };
  }
  const brands = Object.fromEntries(
    Object.entries(config.brands).map(([name, brand]) => [name, { ...brand, theme }]),
  );
  const parsed = parseConfig(JSON.stringify({ ...config, brands }));
  if (!parsed.ok) return { ok: false, problem: describeRefusal(parsed.refusal) };
  for (const [name, themed] of themedBrands(parsed.config.brands)) {
    const problems = describeUnreadable(name, themed);
    if (problems.length > 0) return { ok: false, problem: problems.join('\n') };
  }
  return { ok: true, config: parsed.config, style: themeStyle(parsed.config.brands) };
}
