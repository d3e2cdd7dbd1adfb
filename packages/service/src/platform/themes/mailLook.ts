import type { AppConfig } from '@vestibule/contract/appConfig';
import { paletteOf } from '@vestibule/contract/palette';
import * as v from 'valibot';

const colours = v.object({
  page: v.string(),
  card: v.string(),
  text: v.string(),
  button: v.string(),
  onButton: v.string(),
});

/** What mails show of the default brand if it has a theme. */
const mailLook = v.object({
  label: v.string(),
  /** Absent without a PNG: few mail programs show an SVG. */
  logo: v.optional(v.object({ url: v.string(), width: v.number() })),
  /** px */
  radius: v.number(),
  light: colours,
  dark: colours,
});
export type MailLook = v.InferOutput<typeof mailLook>;
export type MailColours = v.InferOutput<typeof colours>;

/** As a variable of the service: JSON. */
export const mailLookVariable = v.optional(v.pipe(v.string(), v.parseJson(), mailLook));

/** Height of a logo, px. */
export const logoHeight = 28;

/**
 * The look of mails; `null` if the default brand has no theme.
 *
 * @param logo of the default brand.
 */
export function mailLookOf(
  { brands, signOnUrl }: Pick<AppConfig, 'brands' | 'signOnUrl'>,
  logo: { readonly url: string; readonly aspect: number } | undefined,
): MailLook | null {
  const { label, look, theme } = brands.default;
  if (theme === undefined) return null;
  const coloursOf = (scheme: 'light' | 'dark'): MailColours => {
    const palette = paletteOf({ look, theme }, scheme, 'no-preference');
    const { paper: page, card, ink: text, fill: button, 'on-accent': onButton } = palette;
    return { page, card, text, button, onButton };
  };
  return {
    label,
    ...(logo?.url.endsWith('.png') === true
      ? { logo: { url: signOnUrl + logo.url, width: Math.round(logoHeight * logo.aspect) } }
      : {}),
    radius: theme.radius ?? 8,
    light: coloursOf('light'),
    dark: coloursOf('dark'),
  };
}
