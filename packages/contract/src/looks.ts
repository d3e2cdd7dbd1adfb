import type { Brand } from './appConfig.ts';
import { backgrounds, type Scheme } from './background.ts';

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
    light: { background: backgrounds.default.light, surface: '#ffffff', text: '#12242b', ...messages.light },
    dark: { background: backgrounds.default.dark, surface: '#14242a', text: '#e6eef0', ...messages.dark },
  },
  epay: {
    light: { background: backgrounds.epay.light, surface: '#ffffff', text: '#1e1b2e', ...messages.light },
    dark: { background: backgrounds.epay.dark, surface: '#1d1a29', text: '#ebe9f3', ...messages.dark },
  },
};
