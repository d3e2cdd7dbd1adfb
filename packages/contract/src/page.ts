import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { checksumOf } from './checkedConfig.ts';
import { parseConfig } from './pageConfig.ts';
import type { InlineParts } from './pageHeaders.ts';

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

/** Fills and compresses a page. The build's own compressed copies lack the configuration. */
export function fillPage(page: string, config: unknown): FilledPage {
  const identity = Buffer.from(fillConfigBlock(page, config));
  return {
    inline: inlineParts(page),
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
export function fillConfigBlock(page: string, config: unknown): string {
  const found = page.match(block)?.length ?? 0;
  if (found !== 1) {
    throw new Error(`index.html has ${String(found)} elements with id="app-config"; exactly one is needed.`);
  }
  const parsed = parseConfig(JSON.stringify(config));
  const text = jsonForHtml(parsed.ok ? parsed.config : config);
  const [, build = ''] = /<script\b[^>]*\ssrc="?([^"\s>]+)/.exec(page) ?? [];
  const mark = parsed.ok ? ` data-checked="${checksumOf(text, build)}"` : '';
  // A function, because a configured value may contain replacement patterns such as `$&`.
  return page.replace(block, (_all, open: string, close: string) => {
    const unmarked = open.replace(/ data-checked="[^"]*"/, '');
    return unmarked.replace('<script', `<script${mark}`) + text + close;
  });
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
