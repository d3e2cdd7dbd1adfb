// @ts-check
import { brotliCompressSync } from 'node:zlib';

const styles = /<style\b[^>]*>([\s\S]*?)<\/style>/gi;
const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi;

/**
 * Styles and scripts that stand in the page itself, brotli bytes: moving code there must not hide it from the budget.
 * Data blocks, such as the configuration, are no code.
 *
 * @param {string} html
 * @returns {{ js: number, css: number }}
 */
export function inlineBytes(html) {
  const css = [...html.matchAll(styles)].map(([, text = '']) => text).join('\n');
  const js = [...html.matchAll(scripts)]
    .filter(([, attributes = '']) => !/\bsrc=|\btype=["']?(?!module|text\/javascript)/i.test(attributes))
    .map(([, , text = '']) => text)
    .join('\n');
  return { js: compressed(js), css: compressed(css) };
}

/** @param {string} text */
function compressed(text) {
  return text === '' ? 0 : brotliCompressSync(text).byteLength;
}
