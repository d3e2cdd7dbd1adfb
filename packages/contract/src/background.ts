import type { Brand, ThemeColour } from './appConfig.ts';

/** The two colour schemes of each look. */
export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The backgrounds of the looks. They are in a module of their own because the page needs no other colours of the looks. */
export const backgrounds: Readonly<Record<Brand['look'], Readonly<Record<Scheme, string>>>> = {
  default: { light: '#eef2f2', dark: '#0b1518' },
  epay: { light: '#f5f3f0', dark: '#121019' },
};

/** The background of a brand: that of its theme or, without one, of its look. */
export const backgroundOf = ({ look, theme }: Pick<Brand, 'look' | 'theme'>): ThemeColour =>
  theme?.background ?? backgrounds[look];

export const ofScheme = (colour: ThemeColour, scheme: Scheme): string =>
  typeof colour === 'string' ? colour : colour[scheme];
