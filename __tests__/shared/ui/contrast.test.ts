import { readFileSync } from 'node:fs';
import path from 'node:path';

const css = readFileSync(path.resolve(__dirname, '../../../src/shared/ui/base.css'), 'utf8');
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

type Tokens = Record<string, string>;

/** The custom properties of the first rule in `text` whose selector starts like this. */
function tokensOf(text: string, selector: string): Tokens {
  const body = text.slice(text.indexOf(selector)).split('{')[1]?.split('}')[0] ?? '';
  const found = body.matchAll(/--([\w-]+):\s*([^;]+);/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']): [string, string] => [name, value]));
}

const scheme = { light: tokensOf(light, ':root'), dark: tokensOf(dark, ':root') };
const epay = { light: tokensOf(light, ':is('), dark: tokensOf(dark, ':is(') };
const combinations = {
  'default, light': scheme.light,
  'default, dark': { ...scheme.light, ...scheme.dark },
  'e-pay, light': { ...scheme.light, ...epay.light },
  // As the browser resolves it: the rule of the look takes precedence over the bare root, in any order.
  'e-pay, dark': { ...scheme.light, ...scheme.dark, ...epay.light, ...epay.dark },
};

function channels(color: string): number[] {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(color)?.[1];
  if (hex === undefined) throw new Error(`'${color}' is not a plain colour`);
  const full = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16) / 255);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const text: readonly (readonly [string, string])[] = [
  ...['card', 'paper', 'arch', 'arch-inner'].flatMap((ground) => [
    ['ink', ground] as const,
    ['quiet', ground] as const,
    ['accent', ground] as const,
  ]),
  ['accent-deep', 'card'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-deep'],
  ['accent', 'wash'],
  ['quiet', 'wash'],
  ['danger', 'card'],
  ['danger', 'danger-wash'],
  ['success', 'success-wash'],
  ['warning', 'card'],
  ['warning', 'warning-wash'],
];

describe.each(Object.entries(combinations))('in the look %s', (_name, tokens) => {
  const color = (token = '') => tokens[token] ?? '';

  it.each(text)('%s is readable on %s', (front, back) => {
    expect(contrast(color(front), color(back))).toBeGreaterThanOrEqual(4.5);
  });

  it('the header is readable on its band', () => {
    const grounds = color('band') === 'transparent' ? ['paper', 'arch', 'arch-inner'] : ['band'];
    const ink = color('band-ink') === 'var(--ink)' ? color('ink') : color('band-ink');
    for (const ground of grounds) expect(contrast(ink, color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['edge', 'accent'])('fields and focus are visible on the card: %s', (line) => {
    expect(contrast(color(line), color('card'))).toBeGreaterThanOrEqual(3);
  });
});
