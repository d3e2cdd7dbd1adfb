import Color from 'colorjs.io';
import type { Brand, Theme, ThemeColour } from './appConfig.ts';
import { ofScheme, schemes, type Scheme } from './background.ts';
import { looks } from './looks.ts';

/** The custom properties of `base.css` that a theme sets, without their hyphens. All are `#rrggbb`. */
export type Palette = Readonly<Record<Token, string>>;

/** The least contrast of texts and of controls on their surfaces (WCAG 2.2: 1.4.3, 1.4.11; with `prefers-contrast: more` 1.4.6). */
export const leastContrast = {
  'no-preference': { text: 4.5, control: 3 },
  more: { text: 7, control: 4.5 },
} as const;

export type Contrast = keyof typeof leastContrast;

/** A colour of a theme that cannot be read or seen. */
export interface Unreadable {
  /** The key of the theme. */
  readonly key: ColourKey;
  readonly value: string;
  readonly scheme: Scheme;
  /** The key of the colour behind or on it, and its value. */
  readonly other: ColourKey;
  readonly otherValue: string;
  readonly ratio: number;
  readonly needed: number;
}

/** The colours that make a theme readable, or the first colour for which no lightness passes. */
export type Correction =
  { readonly colours: Partial<Record<ColourKey, ThemeColour>> } | { readonly stuck: Unreadable };

type ColourKey = 'primary' | 'onPrimary' | 'background' | 'surface' | 'text';
type Chosen = Readonly<Record<ColourKey, string>>;

/** The pairs of colours that are shown on one another, and the contrast that each pair needs. */
const shownTogether = (({ text, control }): readonly (readonly [ColourKey, ColourKey, number])[] => [
  ['text', 'surface', text],
  ['text', 'background', text],
  ['primary', 'surface', control],
  ['primary', 'background', control],
  ['onPrimary', 'primary', text],
])(leastContrast['no-preference']);

/** Texts and controls, each with the surfaces on which the page shows it. */
const shownOn = {
  text: {
    ink: ['card', 'paper', 'wash'],
    quiet: ['card', 'paper', 'wash'],
    accent: ['card', 'paper', 'wash'],
    'accent-deep': ['card', 'paper', 'wash'],
    'on-accent': ['fill', 'fill-deep'],
    'epay-band-ink': ['epay-band'],
    danger: ['card', 'paper', 'danger-wash'],
    success: ['card', 'paper', 'success-wash'],
    warning: ['card', 'paper', 'warning-wash'],
  },
  control: { edge: ['card', 'paper'], fill: ['card', 'paper'] },
} as const;

type Token =
  | keyof (typeof shownOn)['text']
  | keyof (typeof shownOn)['control']
  | (typeof shownOn)['text'][keyof (typeof shownOn)['text']][number]
  | 'line'
  | 'arch'
  | 'arch-inner';

/** Every text and control of the page with each of its surfaces. */
export const pairs = (['text', 'control'] as const).flatMap((kind) =>
  Object.entries<readonly Token[]>(shownOn[kind]).flatMap(([token, behind]) =>
    behind.map((surface) => ({ kind, token: token as Token, surface })),
  ),
);

/**
 * The colours of a theme, complete. Those that it does not name follow from the given ones and from the look, by lightness in
 * OKLCH.
 *
 * @param contrast with 'more', given colours change too as far as needed.
 */
export function paletteOf({ look, theme }: Themed, scheme: Scheme, contrast: Contrast): Palette {
  const { text, control } = leastContrast[contrast];
  const chosen = chosenOf({ look, theme }, scheme);
  const extreme = extremeFor(chosen);
  const readable = (surface: string): string => nearest(surface, [[extreme, text]]) ?? opposite(extreme);
  const [card, paper] = [readable(chosen.surface), readable(chosen.background)];
  const wash = readable(mixed(card, chosen.primary, 0.1));
  const onEach = (least: number, ...behind: readonly string[]) => behind.map((one): Wanted => [one, least]);
  const textOn = (colour: string, ...behind: readonly string[]): string =>
    nearest(colour, onEach(text, ...behind)) ?? extreme;

  const ink = textOn(chosen.text, card, paper, wash);
  const { fill, on } = fillOf(chosen, [card, paper], text, control);
  const band = scheme === 'light' ? fill : readable(mixed(paper, fill, 0.2));
  const accent = textOn(fill, card, paper, wash);
  const message = (kind: 'danger' | 'success' | 'warning') => {
    const behind = readable(mixed(card, looks[look][scheme][kind], 0.1));
    return [textOn(looks[look][scheme][kind], card, paper, behind), behind] as const;
  };
  const [danger, dangerWash] = message('danger');
  const [success, successWash] = message('success');
  const [warning, warningWash] = message('warning');
  return {
    ink,
    quiet: textOn(mixed(ink, card, 0.3), card, paper, wash),
    paper,
    arch: mixed(paper, card, 0.35),
    'arch-inner': mixed(paper, card, 0.65),
    card,
    line: mixed(card, ink, 0.15),
    edge: nearest(mixed(card, ink, 0.5), onEach(control, card, paper)) ?? extreme,
    accent,
    'accent-deep': textOn(shifted(accent, extreme === black ? -0.09 : 0.09), card, paper, wash),
    'on-accent': on,
    fill,
    'fill-deep': pressed(fill, on, text),
    wash,
    // A bright band would glare in the dark scheme.
    'epay-band': band,
    'epay-band-ink': scheme === 'light' ? on : textOn(ink, band),
    danger,
    'danger-wash': dangerWash,
    success,
    'success-wash': successWash,
    warning,
    'warning-wash': warningWash,
  };
}

/** The colours of a theme whose contrast is too low: one pair for each key and scheme. */
export function unreadableIn({ look, theme }: Themed): readonly Unreadable[] {
  return schemes.flatMap((scheme) => {
    const chosen = chosenOf({ look, theme }, scheme);
    const found = shownTogether.flatMap(([front, behind, needed]): readonly Unreadable[] => {
      const ratio = contrastOf(chosen[front], chosen[behind]);
      if (ratio >= needed) return [];
      // The deployment can change only what it has given.
      const [key, other] =
        theme[front] !== undefined || front === 'primary' ? [front, behind] : [behind, front];
      return [{ key, value: chosen[key], scheme, other, otherValue: chosen[other], ratio, needed }];
    });
    return found.filter(({ key }, index) => found.findIndex((one) => one.key === key) === index);
  });
}

/** Each colour comes before the colours that are shown on it. */
const inOrder: readonly ColourKey[] = ['surface', 'background', 'text', 'primary', 'onPrimary'];

/** Changes the colours whose contrast is too low, one after another, until all pass. */
export function corrected({ look, theme }: Themed): Correction {
  const colours: Partial<Record<ColourKey, ThemeColour>> = {};
  // The loop ends: each change corrects one key in one scheme, and no change undoes another.
  for (;;) {
    const changed = { look, theme: { ...theme, ...colours } };
    const faults = unreadableIn(changed);
    const [fault] = inOrder.flatMap((key) => faults.filter((one) => one.key === key));
    if (fault === undefined) return { colours };
    const change = changeFor(changed, fault);
    if (change === null) return { stuck: fault };
    Object.assign(colours, change);
  }
}

/** A primary colour that is darkened by more than this (lightness in OKLCH) no longer looks like the colour of the company. */
const mostDarkened = 0.12;

function changeFor(themed: Themed, { key, scheme }: Unreadable): Partial<Theme> | null {
  const other = scheme === 'light' ? 'dark' : 'light';
  const [value, ofOther] = [chosenOf(themed, scheme)[key], chosenOf(themed, other)[key]];
  const required = requiredOf(themed, key, scheme);
  const failsInBoth = unreadableIn(themed).filter((fault) => fault.key === key).length === schemes.length;
  const ofBoth =
    value === ofOther && failsInBoth
      ? nearest(value, [...required, ...requiredOf(themed, key, other)])
      : null;
  const own = ofBoth ?? nearest(value, required);
  const isLost = own === null || lightnessOf(value) - lightnessOf(own) > mostDarkened;
  const onText = key === 'primary' && isLost ? asTextOfButtons(themed, scheme) : null;
  return onText ?? (own === null ? null : { [key]: ofBoth ?? bothOf({ [scheme]: own, [other]: ofOther }) });
}

/** Makes the primary colour the text of buttons, and a text colour their background; `null` if no text colour passes. */
function asTextOfButtons(themed: Themed, scheme: Scheme): Partial<Theme> | null {
  const other = scheme === 'light' ? 'dark' : 'light';
  const { text, control } = leastContrast['no-preference'];
  const [chosen, others] = [chosenOf(themed, scheme), chosenOf(themed, other)];
  const button = [chosen.text, looks[themed.look][scheme].text].find(
    (colour) =>
      contrastOf(chosen.primary, colour) >= text &&
      [chosen.surface, chosen.background].every((behind) => contrastOf(colour, behind) >= control),
  );
  if (button === undefined) return null;
  return {
    primary: bothOf({ [scheme]: button, [other]: others.primary }),
    onPrimary: bothOf({ [scheme]: chosen.primary, [other]: others.onPrimary }),
  };
}

const bothOf = (colour: Partial<Record<Scheme, string>>): ThemeColour => {
  const { light = '', dark = '' } = colour;
  return light === dark ? light : { light, dark };
};

/** The contrasts that a colour needs with the other colours. */
function requiredOf(themed: Themed, key: ColourKey, scheme: Scheme): readonly Wanted[] {
  const chosen = chosenOf(themed, scheme);
  return shownTogether.flatMap(([front, behind, least]): Wanted[] => {
    if (front === key) return [[chosen[behind], least]];
    // What is not given follows the proposed colour.
    const follows = front === 'onPrimary' && themed.theme.onPrimary === undefined;
    return behind === key && !follows ? [[chosen[front], least]] : [];
  });
}

/** The scheme in which browsers draw their own controls, so that these suit the surfaces of a theme. */
export const schemeOfControls = (themed: Themed, scheme: Scheme): Scheme =>
  extremeFor(chosenOf(themed, scheme)) === black ? 'light' : 'dark';

/** A brand with a theme. */
export type Themed = Pick<Brand, 'look'> & { readonly theme: Theme };

/** A colour and the contrast that another one needs against it. */
type Wanted = readonly [against: string, least: number];

const [white, black] = ['#ffffff', '#000000'];

function chosenOf({ look, theme }: Themed, scheme: Scheme): Chosen {
  const of = (key: ColourKey): string | undefined => theme[key] && ofScheme(theme[key], scheme).toLowerCase();
  const ofLook = looks[look][scheme];
  const [surface, background] = [of('surface') ?? ofLook.surface, of('background') ?? ofLook.background];
  const { text } = leastContrast['no-preference'];
  const onEach: readonly Wanted[] = [
    [surface, text],
    [background, text],
  ];
  const primary = ofScheme(theme.primary, scheme).toLowerCase();
  return {
    surface,
    background,
    primary,
    text: of('text') ?? nearest(ofLook.text, onEach) ?? ofLook.text,
    onPrimary: of('onPrimary') ?? (contrastOf(white, primary) >= text ? white : black),
  };
}

/** Black or white, whichever the text is nearer to. */
const extremeFor = ({ text, surface }: Chosen): string =>
  new Color(text).luminance < new Color(surface).luminance ? black : white;

const opposite = (extreme: string): string => (extreme === black ? white : black);

/** The colour of primary buttons and of the text on them. */
function fillOf(
  { primary, onPrimary }: Chosen,
  behind: readonly string[],
  text: number,
  control: number,
): { readonly fill: string; readonly on: string } {
  const around = behind.map((surface): Wanted => [surface, control]);
  for (const on of [onPrimary, white, black]) {
    const fill = nearest(primary, [[on, text], ...around]);
    if (fill !== null) return { fill, on };
  }
  return { fill: primary, on: onPrimary };
}

/** The colour of a primary button under the pointer: farther from its text, or nearer where no colour is farther. */
function pressed(fill: string, on: string, text: number): string {
  const away = new Color(on).luminance > new Color(fill).luminance ? -0.07 : 0.07;
  const farther = shifted(fill, away);
  if (Math.abs(lightnessOf(farther) - lightnessOf(fill)) > 0.04) return farther;
  return nearest(shifted(fill, -3 * away), [[on, text]]) ?? fill;
}

/** WCAG's contrast ratio of two colours. */
export const contrastOf = (one: string, other: string): number => new Color(one).contrastWCAG21(other);

const step = 0.005;

/** The colour of the nearest lightness that has each contrast; `null` if there is none. */
function nearest(colour: string, wanted: readonly Wanted[]): string | null {
  for (let distance = 0; distance <= 1; distance += step)
    for (const by of distance === 0 ? [0] : [-distance, distance]) {
      const candidate = by === 0 ? colour : shifted(colour, by);
      if (wanted.every(([against, least]) => contrastOf(candidate, against) >= least)) return candidate;
    }
  return null;
}

const lightnessOf = (colour: string): number => new Color(colour).get('oklch.l');

const shifted = (colour: string, by: number): string =>
  hex(new Color(colour).set('oklch.l', (lightness) => Math.min(1, Math.max(0, lightness + by))));

/** @param share of the second colour, 0 to 1. */
const mixed = (one: string, other: string, share: number): string =>
  hex(new Color(one).mix(other, share, { space: 'oklab' }));

const hex = (colour: Color): string =>
  colour.to('srgb').toGamut({ space: 'srgb' }).toString({ format: 'hex', collapse: false });
