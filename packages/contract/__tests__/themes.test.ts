import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { AppConfig, Theme } from '../src/appConfig.ts';
import { looks } from '../src/looks.ts';
import { fillPage } from '../src/page.ts';
import { contrastOf, leastContrast, pairs, paletteOf, unreadableIn, type Themed } from '../src/palette.ts';
import { describeUnreadable, themeStyle } from '../src/themeStyle.ts';

const themed = (theme: Theme, look: Themed['look'] = 'default'): Themed => ({ look, theme });
const schemes = ['light', 'dark'] as const;

describe('the colours of a theme', () => {
  it('start from those of base.css', () => {
    const sheet = readFileSync(`${__dirname}/../../../src/shared/ui/base.css`, 'utf8');
    const [light = '', dark = ''] = sheet.split('@media (prefers-color-scheme: dark)');
    const tokens: Readonly<Record<string, string>> = { background: 'paper', surface: 'card', text: 'ink' };
    for (const [scheme, rules] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const [root = '', epay = ''] = rules.split(":has([data-look='epay']))");
      for (const look of ['default', 'epay'] as const)
        for (const [key, value] of Object.entries(looks[look][scheme])) {
          const token = tokens[key] ?? key;
          // The look `epay` changes some of the tokens.
          const found = valueOf(token, look === 'epay' ? epay : root) ?? valueOf(token, root);
          expect([look, scheme, key, found].join()).toBe([look, scheme, key, value].join());
        }
    }
  });

  const valueOf = (token: string, rules: string): string | undefined =>
    new RegExp(`--${token}: (#\\w+);`).exec(rules)?.[1]?.replace(/^#fff$/, '#ffffff');

  it.each<[company: string, theme: Theme, sentence: string | null]>([
    ['Stripe', { primary: '#635bff' }, null],
    ['PayPal', { primary: { light: '#003087', dark: '#7fb0ff' } }, null],
    [
      'PayPal in both schemes',
      { primary: '#003087' },
      'brands.x.theme.primary (#003087) has a contrast of 1.34:1 with surface of the look (#14242a) in the dark scheme, and needs 3:1. The nearest colour that passes in this scheme is #3769c5. Give one colour for light and one for dark.',
    ],
    [
      'Klarna',
      { primary: '#ffb3c7' },
      'brands.x.theme.primary (#ffb3c7) has a contrast of 1.67:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The nearest colour that passes in this scheme is #bd778a. Give one colour for light and one for dark.',
    ],
    ['Wise', { primary: { light: '#163300', dark: '#9fe870' } }, null],
    [
      'Adyen',
      { primary: '#0abf53' },
      'brands.x.theme.primary (#0abf53) has a contrast of 2.44:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The nearest colour that passes in this scheme is #00a034. Give one colour for light and one for dark.',
    ],
    ['Revolut', { primary: { light: '#000000', dark: '#ffffff' } }, null],
    [
      'grey text',
      { primary: '#0a5a66', text: '#9a9a9a' },
      'brands.x.theme.text (#9a9a9a) has a contrast of 2.81:1 with surface of the look (#ffffff) in the light scheme, and needs 4.5:1. The nearest colour that passes in this scheme is #6d6d6d. Give one colour for light and one for dark.',
    ],
    [
      'white on yellow',
      { primary: '#8a7400', onPrimary: '#ffee88' },
      'brands.x.theme.onPrimary (#ffee88) has a contrast of 3.89:1 with primary (#8a7400) in the light scheme, and needs 4.5:1. The nearest colour that passes in this scheme is #ffffff. Give one colour for light and one for dark.',
    ],
    [
      'black on a dark button',
      { primary: '#0a5a66', onPrimary: '#101010' },
      'brands.x.theme.onPrimary (#101010) has a contrast of 2.41:1 with primary (#0a5a66) in the light scheme, and needs 4.5:1. The nearest colour that passes in this scheme is #c5c5c5. Give one colour for light and one for dark.',
    ],
  ])('of %s are accepted, or refused with the value and a nearest one', (_company, theme, sentence) => {
    expect(describeUnreadable('x', themed(theme))).toBe(sentence);
  });

  const within = (least: number, most: number) =>
    fc
      .tuple(...Array.from({ length: 3 }, () => fc.integer({ min: least, max: most })))
      .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`);
  const any = within(0, 255);
  const [pale, deep] = [within(190, 255), within(0, 70)];
  const anyTheme = fc.record(
    {
      primary: fc.oneof(any, fc.record({ light: any, dark: any }), fc.record({ light: deep, dark: pale })),
      onPrimary: fc.oneof(any, fc.record({ light: pale, dark: deep })),
      background: fc.oneof(
        { weight: 4, arbitrary: fc.record({ light: pale, dark: deep }) },
        { weight: 1, arbitrary: any },
      ),
      surface: fc.record({ light: pale, dark: deep }),
      text: fc.record({ light: deep, dark: pale }),
    },
    { requiredKeys: ['primary'] },
  );

  it('can all be read and seen where the given ones can, in each scheme and contrast', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyTheme, fc.constantFrom('default', 'epay'), (theme, look) => {
        const brand = themed(theme, look);
        if (unreadableIn(brand) !== null) return;
        accepted += 1;
        for (const scheme of schemes)
          for (const contrast of ['no-preference', 'more'] as const) {
            const palette = paletteOf(brand, scheme, contrast);
            const faults = pairs
              .map((pair) => ({ ...pair, ratio: contrastOf(palette[pair.token], palette[pair.surface]) }))
              .filter(({ kind, ratio }) => ratio < leastContrast[contrast][kind]);
            expect(faults).toEqual([]);
          }
      }),
      { numRuns: 100, seed: 7 },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  it('are proposed so that they pass', () => {
    fc.assert(
      fc.property(anyTheme, (theme) => {
        const found = unreadableIn(themed(theme));
        const { key = 'primary', scheme = 'light', nearest = null } = found ?? {};
        if (nearest === null) return;
        const { [key]: given } = theme;
        const both = typeof given === 'object' ? given : { light: given ?? nearest, dark: given ?? nearest };
        const next = unreadableIn(themed({ ...theme, [key]: { ...both, [scheme]: nearest } }));
        // What is refused next is another colour, or the other scheme.
        expect(next?.key === key && next.scheme === scheme).toBe(false);
      }),
      { numRuns: 50, seed: 7 },
    );
  });
});

describe('the style sheet of themes', () => {
  const brands = (theme?: Theme, name = 'default') =>
    ({ [name]: { label: 'Acme', look: 'default', theme } }) as unknown as AppConfig['brands'];

  it('is empty without a theme', () => {
    expect(themeStyle(brands())).toBe('');
  });

  it('cannot be left by the name of a brand', () => {
    const style = themeStyle(brands({ primary: '#0a5a66' }, '"]{}</style><script>'));
    expect(style).not.toMatch(/[<]|\]\{\}/);
  });

  it('is in the policy of the page by its hash, and behind the style of the page', () => {
    const page =
      '<head><meta name="theme-color" content="#eef2f2" media="(prefers-color-scheme: light)"><style>a{}</style>' +
      '<script type="application/json" id="app-config">{}</script><script src="/a.js"></script></head>';
    const fill = (theme?: Theme) => {
      const other = { label: 'Other', look: 'default' };
      const given = { ...config, brands: { ...brands(theme), 'supplier-hub': other } };
      const { identity, inline } = fillPage(page, given);
      return { text: identity.toString(), styles: inline.styles };
    };
    const [without, filled] = [
      fill(),
      fill({ primary: '#0a5a66', background: '#123456', text: '#ffffff', surface: '#000000' }),
    ];
    expect(without.styles).toHaveLength(1);
    expect(without.text).toContain('content="#eef2f2"');
    expect(filled.styles).toHaveLength(2);
    expect(filled.text).toMatch(
      /<style>a\{\}<\/style>.*<style>:is\(\[data-theme="default"\].*<\/style><\/head>/,
    );
    expect(filled.text).toContain('content="#123456"');
  });
});

/** A valid configuration, without brands. */
const config = {
  environment: 'test',
  signOnUrl: 'https://login.example.test',
  serviceUrl: 'https://api.example.test',
  cookies: { prefix: 'p' },
  ...{ redirectHosts: [], parentOrigins: [], shortLinkHosts: [], supplierHosts: [] },
  links: {
    supplierSite: 'https://a.test',
    marketingSite: 'https://a.test',
    supportEmail: 'a@a.test',
    providerSupport: 'a@a.test',
  },
  google: { clientId: 'x', authorizationUrl: 'https://a.test' },
  microsoft: { authorizationUrl: 'https://a.test/{tenantId}' },
};
