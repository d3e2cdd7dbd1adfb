import { readFileSync } from 'node:fs';
import path from 'node:path';

const css = readFileSync(path.resolve(__dirname, '../../../src/shared/ui/base.css'), 'utf8');
const [plain = '', more = ''] = css.split('@media (prefers-contrast: more)');
const [light = '', dark = ''] = plain.split('@media (prefers-color-scheme: dark)');
const [, moreLight = ''] = more.split('@media (prefers-color-scheme: light)');

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

/** The value of a token, without the functions that `base.css` uses. */
function resolve(tokens: Tokens, token: string): string {
  const value = tokens[token] ?? '';
  const mix = /^color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, var\(--([\w-]+)\)\)$/.exec(value);
  if (mix) {
    const [, front = '', percent = '', back = ''] = mix;
    const ground = channels(resolve(tokens, back));
    const share = Number(percent) / 100;
    const mixed = channels(resolve(tokens, front)).map(
      (c, at) => share * c + (1 - share) * (ground[at] ?? 0),
    );
    return `#${mixed
      .map((c) =>
        Math.round(255 * c)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`;
  }
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return other === undefined ? value : resolve(tokens, other);
}

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

const shared = tokensOf(more, ':root,');
const views = Object.entries(combinations).flatMap(([name, tokens]) => [
  { name, tokens, ratio: 4.5, ratioOfLines: 3 },
  {
    name: `${name}, more contrast`,
    tokens: { ...tokens, ...shared, ...(name.endsWith('light') ? tokensOf(moreLight, ':root') : {}) },
    ratio: 7,
    ratioOfLines: 4.5,
  },
]);

describe.each(views)('in the look $name', ({ tokens, ratio, ratioOfLines }) => {
  const color = (token: string) => resolve(tokens, token);

  it.each(text)('%s is readable on %s', (front, back) => {
    expect(contrast(color(front), color(back))).toBeGreaterThanOrEqual(ratio);
  });

  it('the header is readable on its band', () => {
    const grounds = color('band') === 'transparent' ? ['paper', 'arch', 'arch-inner'] : ['band'];
    for (const ground of grounds)
      expect(contrast(color('band-ink'), color(ground))).toBeGreaterThanOrEqual(ratio);
  });

  it.each(['edge', 'accent'])('fields and focus are visible on the card: %s', (line) => {
    expect(contrast(color(line), color('card'))).toBeGreaterThanOrEqual(ratioOfLines);
  });
});
