import type { AppConfig } from './appConfig.ts';
import {
  corrected,
  paletteOf,
  schemeOfControls,
  unreadableIn,
  type Contrast,
  type Correction,
  type Palette,
  type Themed,
} from './palette.ts';
import type { Scheme } from './background.ts';
import { escaped, themeSelector } from './themeSelector.ts';

/** The addresses of a theme's files on the host of the page. */
export interface ThemeFiles {
  /** `aspect`: width through height. */
  readonly logo?: { readonly url: string; readonly aspect: number };
  readonly font?: { readonly url: string };
}

/** The brands that have a theme, by name. */
export const themedBrands = (brands: AppConfig['brands']): readonly (readonly [string, Themed])[] =>
  Object.entries(brands).flatMap(([name, { look, theme }]) =>
    theme === undefined ? [] : [[name, { look, theme }] as const],
  );

/**
 * The style sheet of the themes: the custom properties of `base.css`, the logo and the font, for elements with `data-theme`. Empty
 * without a theme.
 *
 * @param files by the name of the brand.
 */
export const themeStyle = (
  brands: AppConfig['brands'],
  files: Readonly<Record<string, ThemeFiles>> = {},
): string =>
  themedBrands(brands)
    .map(([name, themed]) => styleOf(name, themed, files[name] ?? {}))
    .join('');

/**
 * One sentence for each colour whose contrast is too low. The last sentence also proposes colours that pass. Empty if all colours pass.
 */
export function describeUnreadable(brand: string, themed: Themed): readonly string[] {
  const { theme } = themed;
  const sentences = unreadableIn(themed).map((fault) => {
    const { key, value, scheme, other, otherValue, ratio, needed } = fault;
    // Rounded down, so that 4.499 is not shown as what is needed.
    const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
    const ofLook = theme[other] === undefined ? ' of the look' : '';
    return `brands.${brand}.theme.${key} (${value}) has a contrast of ${shown}:1 with ${other}${ofLook} (${otherValue}) in the ${scheme} scheme, and needs ${String(needed)}:1.`;
  });
  const last = sentences.pop();
  return last === undefined ? [] : [...sentences, `${last} ${advice(corrected(themed))}`];
}

function advice(found: Correction): string {
  if ('stuck' in found) {
    const { key, other, scheme } = found.stuck;
    return `No colour of the hue of ${key} passes with the other colours in the ${scheme} scheme: change ${other} too.`;
  }
  const colours = Object.entries(found.colours).map(([key, colour]) =>
    typeof colour === 'string'
      ? `${key}: '${colour}'`
      : `${key}: { light: '${colour.light}', dark: '${colour.dark}' }`,
  );
  return `The theme passes with ${colours.join(', ')}.`;
}

function styleOf(name: string, themed: Themed, { logo, font }: ThemeFiles): string {
  const attribute = themeSelector(name);
  // `:has` reaches the space around the page, and dialogs.
  const everywhere = `:is(${attribute},:root:has(${attribute}))`;
  const rule = (declarations: string): string =>
    declarations === '' ? '' : `${everywhere}{${declarations}}`;
  const palette = (scheme: Scheme, contrast: Contrast) => paletteOf(themed, scheme, contrast);
  const [light, dark] = [palette('light', 'no-preference'), palette('dark', 'no-preference')];
  // Without `only`, some browsers darken a page that has only a light scheme.
  const controls = (scheme: Scheme): string => `color-scheme:only ${schemeOfControls(themed, scheme)};`;
  const more = (scheme: Scheme, than: Palette): string =>
    `@media (prefers-contrast:more){${rule(properties(palette(scheme, 'more'), than))}}`;
  const { radius } = themed.theme;
  const radii =
    radius === undefined ? '' : `;--radius:${String(radius)}px;--radius-card:${String(radius * 1.5)}px`;
  return [
    font === undefined
      ? ''
      : `@font-face{font-family:"theme ${escaped(name)}";src:url("${font.url}") format("woff2");font-display:fallback}`,
    font === undefined ? '' : rule(`font-family:"theme ${escaped(name)}",system-ui,sans-serif`),
    rule(controls('light') + properties(light) + radii),
    more('light', light),
    `@media (prefers-color-scheme:dark){${rule(controls('dark') + properties(dark))}${more('dark', dark)}}`,
    `${attribute}[data-look=epay]{--band:var(--epay-band);--band-ink:var(--epay-band-ink)}`,
    logo === undefined
      ? ''
      : `${attribute} header svg{inline-size:${String(Math.round(28 * logo.aspect))}px;background:url("${logo.url}") center/contain no-repeat}${attribute} header svg *{display:none}@media (forced-colors:active){${attribute} header svg{display:none}}`,
  ].join('');
}

/** @param than only what is different from it. */
const properties = (palette: Palette, than: Partial<Palette> = {}): string =>
  Object.entries(palette)
    .filter(([token, colour]) => than[token as keyof Palette] !== colour)
    .map(([token, colour]) => `--${token}:${colour}`)
    .join(';');
