import type { Brand } from './appConfig.ts';

/** The two colour schemes of each look. */
export type Scheme = 'light' | 'dark';

/** The colours of `base.css` from which those of a theme follow. A test compares the two. */
interface LookColours {
  readonly background: string;
  readonly surface: string;
  readonly text: string;
  readonly danger: string;
  readonly success: string;
  readonly warning: string;
}

const messages = {
  light: { danger: '#ad1f2d', success: '#14663f', warning: '#7d4a00' },
  dark: { danger: '#ff9c9c', success: '#86d6a8', warning: '#efc27a' },
};

/** The colours of a look without a theme. */
export const looks: Readonly<Record<Brand['look'], Readonly<Record<Scheme, LookColours>>>> = {
  default: {
    light: { background: '#eef2f2', surface: '#ffffff', text: '#12242b', ...messages.light },
    dark: { background: '#0b1518', surface: '#14242a', text: '#e6eef0', ...messages.dark },
  },
  epay: {
    light: { background: '#f5f3f0', surface: '#ffffff', text: '#1e1b2e', ...messages.light },
    dark: { background: '#121019', surface: '#1d1a29', text: '#ebe9f3', ...messages.dark },
  },
};
