import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { AppConfig, Theme } from '../src/appConfig.ts';
import { looks } from '../src/looks.ts';
import { fillPage } from '../src/page.ts';
import {
  contrastOf,
  leastContrast,
  corrected,
  pairs,
  paletteOf,
  unreadableIn,
  type Themed,
} from '../src/palette.ts';
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

  it.each<[company: string, theme: Theme, sentences: readonly string[]]>([
    ['Stripe', { primary: '#635bff' }, []],
    ['PayPal', { primary: { light: '#003087', dark: '#7fb0ff' } }, []],
    [
      'PayPal in both schemes',
      { primary: '#003087' },
      [
        "brands.x.theme.primary (#003087) has a contrast of 1.34:1 with surface of the look (#14242a) in the dark scheme, and needs 3:1. The theme passes with primary: { light: '#003087', dark: '#3769c5' }.",
      ],
    ],
    [
      'Klarna, which is too pale for buttons on white',
      { primary: '#ffb3c7' },
      [
        "brands.x.theme.primary (#ffb3c7) has a contrast of 1.67:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The theme passes with primary: { light: '#12242b', dark: '#ffb3c7' }, onPrimary: { light: '#ffb3c7', dark: '#000000' }.",
      ],
    ],
    [
      'a pale colour that cannot be read on the text',
      { primary: { light: '#ffcc00', dark: '#ffcc00' }, text: { light: '#6d6d6d', dark: '#e6eef0' } },
      [
        "brands.x.theme.primary (#ffcc00) has a contrast of 1.51:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The theme passes with primary: { light: '#12242b', dark: '#ffcc00' }, onPrimary: { light: '#ffcc00', dark: '#000000' }.",
      ],
    ],
    ['Wise', { primary: { light: '#163300', dark: '#9fe870' } }, []],
    [
      'Adyen',
      { primary: '#0abf53' },
      [
        "brands.x.theme.primary (#0abf53) has a contrast of 2.44:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The theme passes with primary: { light: '#00a034', dark: '#0abf53' }.",
      ],
    ],
    ['Revolut', { primary: { light: '#000000', dark: '#ffffff' } }, []],
    [
      'grey text and a dark button',
      { primary: '#0a5a66', text: '#9a9a9a' },
      [
        'brands.x.theme.text (#9a9a9a) has a contrast of 2.81:1 with surface of the look (#ffffff) in the light scheme, and needs 4.5:1.',
        "brands.x.theme.primary (#0a5a66) has a contrast of 2.02:1 with surface of the look (#14242a) in the dark scheme, and needs 3:1. The theme passes with text: { light: '#6d6d6d', dark: '#9a9a9a' }, primary: { light: '#0a5a66', dark: '#307582' }.",
      ],
    ],
    [
      'pale yellow on dark yellow, where one colour passes in both schemes',
      { primary: '#8a7400', onPrimary: '#ffee88' },
      [
        'brands.x.theme.onPrimary (#ffee88) has a contrast of 3.89:1 with primary (#8a7400) in the light scheme, and needs 4.5:1.',
        "brands.x.theme.onPrimary (#ffee88) has a contrast of 3.89:1 with primary (#8a7400) in the dark scheme, and needs 4.5:1. The theme passes with onPrimary: '#ffffff'.",
      ],
    ],
    [
      'black on a button that is dark in the light scheme',
      { primary: { light: '#0a5a66', dark: '#6fc9d3' }, onPrimary: '#101010' },
      [
        "brands.x.theme.onPrimary (#101010) has a contrast of 2.41:1 with primary (#0a5a66) in the light scheme, and needs 4.5:1. The theme passes with onPrimary: { light: '#c5c5c5', dark: '#101010' }.",
      ],
    ],
    [
      'a grey background, on which no text passes',
      { primary: '#ffffff', text: { light: '#9a9a9a', dark: '#e6eef0' }, background: '#777777' },
      [
        'brands.x.theme.text (#9a9a9a) has a contrast of 2.81:1 with surface of the look (#ffffff) in the light scheme, and needs 4.5:1.',
        'brands.x.theme.primary (#ffffff) has a contrast of 1.00:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1.',
        'brands.x.theme.text (#e6eef0) has a contrast of 3.80:1 with background (#777777) in the dark scheme, and needs 4.5:1. No colour of the hue of text passes with the other colours in the dark scheme: change background too.',
      ],
    ],
  ])('of %s are accepted, or refused with all faults and colours that pass', (_company, theme, sentences) => {
    expect(describeUnreadable('x', themed(theme))).toEqual(sentences);
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
        if (unreadableIn(brand).length > 0) return;
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

  it('that are proposed all pass', () => {
    let proposed = 0;
    fc.assert(
      fc.property(anyTheme, fc.constantFrom('default', 'epay'), (theme, look) => {
        const found = corrected(themed(theme, look));
        if (!('colours' in found) || Object.keys(found.colours).length === 0) return;
        proposed += 1;
        expect(unreadableIn(themed({ ...theme, ...found.colours }, look))).toEqual([]);
      }),
      { numRuns: 30, seed: 7 },
    );
    expect(proposed).toBeGreaterThan(5);
  });
});

describe('the style sheet of themes', () => {
  const brands = (theme?: Theme, name = 'default') =>
    ({ [name]: { label: 'Acme', look: 'default', theme } }) as unknown as AppConfig['brands'];

  const light = { surface: '#ffffff', background: '#ffffff', text: '#111111' };
  const dark = { surface: '#111111', background: '#000000', text: '#ffffff' };

  it('is empty without a theme', () => {
    expect(themeStyle(brands())).toBe('');
  });

  it.each<[theme: string, colours: Partial<Theme>, light: string, dark: string]>([
    ['the surfaces of the look', {}, 'light', 'dark'],
    ['a light surface in both schemes', light, 'light', 'light'],
    ['a dark surface in both schemes', dark, 'dark', 'dark'],
  ])('lets browsers draw their controls for %s', (_theme, colours, ofLight, ofDark) => {
    const style = themeStyle(brands({ primary: '#777777', ...colours }));
    const [inLight = '', inDark = ''] = style.split('@media (prefers-color-scheme:dark)');
    expect(inLight).toContain(`{color-scheme:only ${ofLight};`);
    expect(inDark).toContain(`{color-scheme:only ${ofDark};`);
  });

  it('cannot be left by the name of a brand', () => {
    const style = themeStyle(brands({ primary: '#0a5a66' }, '"]{}</style><script>'));
    expect(style).not.toMatch(/[<]|\]\{\}/);
  });

  it('is in the policy of the page by its hash, and behind the style of the page', () => {
    const page =
      '<head><meta name="theme-color" content="#eef2f2" media="(prefers-color-scheme: light)"><style>a{}</style>' +
      '<script type="application/json" id="app-config">{}</script><script src="/a.js"></script></head>';
    const fill = (theme?: Theme, look = 'default') => {
      const other = { label: 'Other', look: 'default' };
      const given = { ...config, brands: { default: { label: 'Acme', look, theme }, 'supplier-hub': other } };
      const { identity, inline } = fillPage(page, given);
      return { text: identity.toString(), styles: inline.styles };
    };
    const [without, filled] = [
      fill(),
      fill({ primary: '#0a5a66', background: '#123456', text: '#ffffff', surface: '#000000' }),
    ];
    expect(without.styles).toHaveLength(1);
    expect(without.text).toContain('content="#eef2f2"');
    // The look `epay` has its own background.
    expect(fill(undefined, 'epay').text).toContain('content="#f5f3f0"');
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
