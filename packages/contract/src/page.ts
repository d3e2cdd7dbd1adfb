import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { InlineParts } from './pageHeaders.ts';

/** The page with its configuration written in, in every coding that a browser may ask for. */
export interface FilledPage {
  /** What the policy allows beyond files of its own host: the page's inline script and style. */
  readonly inline: InlineParts;
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** Fills and compresses a page. The build's own compressed copies hold the page without its configuration. */
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
 * JSON for use inside `<script type="application/json">`: `<` would let a value end the element (`</script>`) or
 * open a comment, and the two line separators are not valid in older script parsers. The result parses back to
 * the same value.
 */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

const block = /(<script\b[^>]*\sid=(?:"app-config"|'app-config'|app-config)[^>]*>)[\s\S]*?(<\/script>)/gi;

/**
 * Writes the configuration into the data block of the page (docs/behaviour.md#configuration), as a deployment does.
 *
 * @throws Error when the page does not hold exactly one such block.
 */
export function fillConfigBlock(page: string, config: unknown): string {
  const found = page.match(block)?.length ?? 0;
  if (found !== 1) {
    throw new Error(
      `index.html holds ${String(found)} elements with id="app-config"; exactly one is needed.`,
    );
  }
  // A function, because `$&` and the like in a configured value are not replacement patterns.
  return page.replace(block, (_all, open: string, close: string) => `${open}${jsonForHtml(config)}${close}`);
}

/** The configuration that stands in a page; `undefined` where there is none, or one that is no JSON. */
export function configIn(page: string): unknown {
  const [element = ''] = page.match(block) ?? [];
  try {
    return JSON.parse(element.slice(element.indexOf('>') + 1, element.lastIndexOf('<')));
  } catch {
    return undefined;
  }
}

/** The hashes of the page's inline script and style; the build lists the same in `inline-hashes.json`. */
export function inlineParts(page: string): InlineParts {
  const of = (element: RegExp) =>
    Array.from(page.matchAll(element), ([, text = '']) => {
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    });
  return { scripts: of(/<script>([^]*?)<\/script>/g), styles: of(/<style>([^]*?)<\/style>/g) };
}
