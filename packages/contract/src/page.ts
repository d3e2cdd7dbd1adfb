import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { AppConfig } from './appConfig.ts';
import { checksumOf } from './checkedConfig.ts';
import { directionOf } from './languages.ts';
import { backgroundOf, ofScheme } from './background.ts';
import { parseConfig, type ConfigResult } from './pageConfig.ts';
import type { InlineParts } from './pageHeaders.ts';
import { themeStyle, type ThemeFiles } from './themeStyle.ts';

/**
 * Source of a case-insensitive regular expression for paths of files. A missing file gets 404; every other path gets the page.
 * Password managers do not trust a host on which every address below `/.well-known/` exists.
 */
export const filePath = String.raw`^/assets/|/\.|\.(?:br|css|gz|ico|js|json|map|png|svg|txt|webmanifest|woff2)$`;

/** The page with its configuration, in every content coding that a browser may request. */
export interface FilledPage {
  /** The inline scripts and styles of the page, which the policy allows in addition to files of its own host. */
  readonly inline: InlineParts;
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** What the build writes into `languages.json`. */
export interface BuiltLanguages {
  /** The last inline script of a page in several languages. Empty in development, where the page has none. */
  readonly script: string;
  /** The path of the first piece of a catalogue (`login`), with `*` for the language. */
  readonly path: string;
  /** By language: the texts that the page shows before any file has loaded, in their order. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/**
 * Fills and compresses a page. The build's own compressed copies lack the configuration.
 *
 * @param files of the themes, by the name of the brand.
 * @throws Error if the page has no configuration block, or the build lacks a configured language.
 */
export function fillPage(
  page: string,
  config: unknown,
  built: BuiltLanguages | null = null,
  files: Readonly<Record<string, ThemeFiles>> = {},
): FilledPage {
  const parsed = parseConfig(JSON.stringify(config));
  const withBlock = fillConfigBlock(page, config, parsed);
  const filled = parsed.ok
    ? fillLanguages(fillThemes(withBlock, parsed.config.brands, files), parsed.config.languages ?? [], built)
    : withBlock;
  const identity = Buffer.from(filled);
  return {
    inline: inlineParts(filled),
    identity,
    br: brotliCompressSync(identity),
    gzip: gzipSync(identity),
  };
}

/**
 * JSON for `<script type="application/json">`. Escapes `<`, which could end the element or start a comment, and the
 * two line separators that older script parsers reject. The result parses to the same value.
 */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

const block = /(<script\b[^>]*\sid=(?:"app-config"|'app-config'|app-config)[^>]*>)[\s\S]*?(<\/script>)/gi;

/**
 * Writes the configuration into the data block of the page (docs/behaviour.md#configuration). A valid one is written with its
 * defaults and marked as checked; the page checks any other, and refuses it.
 *
 * @throws Error if the page does not have exactly one such block.
 */
export function fillConfigBlock(
  page: string,
  config: unknown,
  parsed: ConfigResult = parseConfig(JSON.stringify(config)),
): string {
  const found = page.match(block)?.length ?? 0;
  if (found !== 1) {
    throw new Error(`index.html has ${String(found)} elements with id="app-config"; exactly one is needed.`);
  }
  const text = jsonForHtml(parsed.ok ? parsed.config : config);
  const [, build = ''] = /<script\b[^>]*\ssrc="?([^"\s>]+)/.exec(page) ?? [];
  const mark = parsed.ok ? ` data-checked="${checksumOf(text, build)}"` : '';
  // A function, because a configured value may contain replacement patterns such as `$&`.
  return page.replace(block, (_all, open: string, close: string) => {
    const unmarked = open.replace(/ data-checked="[^"]*"/, '');
    return unmarked.replace('<script', `<script${mark}`) + text + close;
  });
}

/** Writes the path of the catalogues and the texts before the last script, and replaces that. Leaves the page unchanged if the only language is English. */
function fillLanguages(page: string, wanted: readonly string[], built: BuiltLanguages | null): string {
  const translated = wanted.filter((language) => language !== 'en');
  if (translated.length === 0) return page;
  const shipped = built?.texts ?? {};
  const unknown = translated.find((language) => !Object.hasOwn(shipped, language));
  if (built === null || unknown !== undefined)
    throw new Error(
      `Configuration key 'languages' lists '${unknown ?? ''}', but this build contains only: ${['en', ...Object.keys(shipped)].join(', ')}. See docs/behaviour.md#languages.`,
    );
  const { script, path } = built;
  // One string for each language takes fewer bytes than a list.
  const rows = wanted.map((one) =>
    one === 'en' ? '' : [directionOf(one), ...(shipped[one] ?? [])].join('|').replace(/^ltr/, ''),
  );
  const data = jsonForHtml([path, ...rows]);
  const [end, rest] =
    script === '' ? ['</body>', ''] : ['<script>', `<script>${script}</script></body></html>`];
  const place = page.lastIndexOf(end);
  if (place < 0) throw new Error('index.html has no place for the languages.');
  const inserted = `<script type="application/json" id="languages">${data}</script>`;
  return page.slice(0, place) + inserted + (rest || page.slice(place));
}

/** Writes the background of the default brand for the bars of the browser, and the style sheet of the themes after that of the page. */
function fillThemes(
  page: string,
  brands: AppConfig['brands'],
  files: Readonly<Record<string, ThemeFiles>>,
): string {
  const bars = page.replace(
    /(<meta name="?theme-color"? content=")[^"]*("[^>]*\((?:prefers-color-scheme: ?)(light|dark)\))/g,
    (_all, start: string, end: string, scheme: 'light' | 'dark') =>
      start + ofScheme(backgroundOf(brands.default), scheme) + end,
  );
  const style = themeStyle(brands, files);
  return style === '' ? bars : bars.replace('</head>', () => `<style>${style}</style></head>`);
}

/** The configuration in a page; `undefined` without one, or if it is not JSON. */
export function configIn(page: string): unknown {
  const [element = ''] = page.match(block) ?? [];
  try {
    return JSON.parse(element.slice(element.indexOf('>') + 1, element.lastIndexOf('<')));
  } catch {
    return undefined;
  }
}

/** The hashes of the page's inline scripts and style; the build lists the same in `inline-hashes.json`. */
export function inlineParts(page: string): InlineParts {
  const of = (element: RegExp) =>
    Array.from(page.matchAll(element), ([, text = '']) => {
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    });
  return { scripts: of(/<script>([^]*?)<\/script>/g), styles: of(/<style>([^]*?)<\/style>/g) };
}
