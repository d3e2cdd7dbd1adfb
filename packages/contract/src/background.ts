import type { Brand, ThemeColour } from './appConfig.ts';

/** The two colour schemes of each look. */
export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** Those of the looks. Apart from their other colours, because the page needs only these. */
export const backgrounds: Readonly<Record<Brand['look'], Readonly<Record<Scheme, string>>>> = {
  default: { light: '#eef2f2', dark: '#0b1518' },
  epay: { light: '#f5f3f0', dark: '#121019' },
};

/** The colour of the page around its content. */
export const backgroundOf = ({ look, theme }: Pick<Brand, 'look' | 'theme'>): ThemeColour =>
  theme?.background ?? backgrounds[look];

export const ofScheme = (colour: ThemeColour, scheme: Scheme): string =>
  typeof colour === 'string' ? colour : colour[scheme];
