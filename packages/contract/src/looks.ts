import type { Brand, ThemeColour } from './appConfig.ts';

/** The two colour schemes of each look. */
export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The colours of `base.css` from which those of a theme follow. A test compares the two. */
interface LookColours {
  readonly background: string;
  readonly surface: string;
  readonly text: string;
  readonly danger: string;
  readonly success: string;
  readonly warning: string;
}

/** Apart from the other colours, because the page needs only these. */
const backgrounds: Readonly<Record<Brand['look'], Readonly<Record<Scheme, string>>>> = {
  default: { light: '#eef2f2', dark: '#0b1518' },
  epay: { light: '#f5f3f0', dark: '#121019' },
};

const messages = {
  light: { danger: '#ad1f2d', success: '#14663f', warning: '#7d4a00' },
  dark: { danger: '#ff9c9c', success: '#86d6a8', warning: '#efc27a' },
};

/** The colours of a look without a theme. */
export const looks: Readonly<Record<Brand['look'], Readonly<Record<Scheme, LookColours>>>> = {
  default: {
    light: { background: backgrounds.default.light, surface: '#ffffff', text: '#12242b', ...messages.light },
    dark: { background: backgrounds.default.dark, surface: '#14242a', text: '#e6eef0', ...messages.dark },
  },
  epay: {
    light: { background: backgrounds.epay.light, surface: '#ffffff', text: '#1e1b2e', ...messages.light },
    dark: { background: backgrounds.epay.dark, surface: '#1d1a29', text: '#ebe9f3', ...messages.dark },
  },
};

/** The colour of the page around its content. */
export const backgroundOf = ({ look, theme }: Pick<Brand, 'look' | 'theme'>): ThemeColour =>
  theme?.background ?? backgrounds[look];

export const ofScheme = (colour: ThemeColour, scheme: Scheme): string =>
  typeof colour === 'string' ? colour : colour[scheme];
