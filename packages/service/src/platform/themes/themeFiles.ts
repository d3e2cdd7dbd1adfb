import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { themedBrands, type ThemeFiles } from '@vestibule/contract/themeStyle';
import { DOMParser, onErrorStopParsing, type Element } from '@xmldom/xmldom';

/** The logos and fonts of the themes. */
export interface Themes {
  /** By path on the hosts of the page; the path contains a hash of the content. */
  readonly files: Readonly<Record<string, { readonly type: string; readonly content: Buffer }>>;
  /** By brand. */
  readonly addresses: Readonly<Record<string, ThemeFiles>>;
}

export const noThemes: Themes = { files: {}, addresses: {} };

/** A file of a theme is refused; the message completes 'brands.….logo (file)'. */
class FileRefused extends Error {}

/** Largest files, bytes. */
const largest = { logo: 20 * 1024, font: 100 * 1024 };

/**
 * Reads and checks the logos and fonts of the themes.
 *
 * @param folder that of the deployment's file, from which the paths start.
 * @throws Error naming the key, the file and the reason.
 */
export function readThemes(brands: AppConfig['brands'], folder: string): Themes {
  const files: Record<string, { type: string; content: Buffer }> = {};
  const addresses: Record<string, ThemeFiles> = {};
  const read = (brand: string, kind: 'logo' | 'font', file: string) => {
    try {
      const content = contentOf(path.resolve(folder, file));
      const { type, extension, aspect } = kind === 'logo' ? checkedLogo(content) : checkedFont(content);
      checkSize(content, largest[kind]);
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
      const url = `/assets/${kind}.${hash}.${extension}`;
      files[url] = { type, content };
      return { url, aspect };
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      throw new Error(`brands.${brand}.theme.${kind} (${file}) ${error.message}.`, { cause: error });
    }
  };
  for (const [brand, { theme }] of themedBrands(brands))
    addresses[brand] = {
      ...(theme.logo === undefined ? {} : { logo: read(brand, 'logo', theme.logo) }),
      ...(theme.font === undefined ? {} : { font: read(brand, 'font', theme.font) }),
    };
  return { files, addresses };
}

interface CheckedFile {
  readonly type: string;
  readonly extension: string;
  /** Width through height of an image. */
  readonly aspect: number;
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new FileRefused(`cannot be read: ${file} is not there, or not readable`);
  }
}

function checkSize({ length }: Buffer, most: number): void {
  if (length > most)
    throw new FileRefused(
      `has ${String(Math.ceil(length / 1024))} kB, and at most ${String(most / 1024)} are allowed`,
    );
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function checkedLogo(content: Buffer): CheckedFile {
  if (content.subarray(0, pngSignature.length).equals(pngSignature)) {
    // The first chunk has the size.
    const [width, height] =
      content.length < 24 ? [0, 0] : [content.readUInt32BE(16), content.readUInt32BE(20)];
    return { type: 'image/png', extension: 'png', aspect: checkedAspect(width, height) };
  }
  const root = checkedSvg(textOf(content));
  const box =
    root
      .getAttribute('viewBox')
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const size = ['width', 'height'].map((name) => root.getAttribute(name) ?? '');
  const [width = 0, height = 0] = (box.length === 4 ? box.slice(2) : size).map(parseFloat);
  // The file itself may declare another encoding than the one that was checked.
  return { type: 'image/svg+xml; charset=utf-8', extension: 'svg', aspect: checkedAspect(width, height) };
}

function textOf(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new FileRefused('is neither a PNG nor an SVG in UTF-8');
  }
}

function checkedFont(content: Buffer): CheckedFile {
  // The header has the signature, the kind of font, and the length of the file.
  const isComplete = content.length > 48 && content.readUInt32BE(8) === content.length;
  if (content.subarray(0, 4).toString('latin1') !== 'wOF2' || !isComplete)
    throw new FileRefused('is not a complete WOFF2 file');
  return { type: 'font/woff2', extension: 'woff2', aspect: 1 };
}

/** The header of a small screen has room for six times the height. */
function checkedAspect(width: number, height: number): number {
  if (!(width > 0 && height > 0))
    throw new FileRefused('has no size: an SVG needs a viewBox, or width and height');
  const aspect = width / height;
  if (aspect < 0.5 || aspect > 6)
    throw new FileRefused(`is ${aspect.toFixed(1)} times as wide as high, and 0.5 to 6 times are allowed`);
  return aspect;
}

/** Elements that only draw. */
const drawing = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'style', 'text', 'tspan'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
  ...['linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask', 'pattern'],
]);

/** Allows an SVG that only draws, because it is served on the login host. */
function checkedSvg(text: string): Element {
  const root = parsed(text);
  if (root?.localName !== 'svg' || root.namespaceURI !== 'http://www.w3.org/2000/svg')
    throw new FileRefused('is neither a PNG nor a valid SVG');
  const { ownerDocument } = root;
  if (Array.from(ownerDocument?.childNodes ?? []).some(({ nodeType }) => !allowedBeside.has(nodeType)))
    throw new FileRefused('has a document type or a processing instruction: save it as a plain SVG');
  for (const element of [root, ...root.getElementsByTagName('*')]) {
    const { tagName, textContent } = element;
    if (!drawing.has(tagName) || element.namespaceURI !== root.namespaceURI)
      throw new FileRefused(`has an element <${tagName}>, and a logo may only draw: save it as a plain SVG`);
    // Browsers do not read the elements in a style, so a text in two parts could hide what it says.
    if (tagName === 'style' && (element.getElementsByTagName('*').length > 0 || loads(textContent ?? '')))
      throw new FileRefused('has a style that loads something');
    const running = Array.from(element.attributes).find(({ name, value }) => runsOrLoads(name, value));
    if (running !== undefined)
      throw new FileRefused(`has an attribute ${running.name} that runs or loads something`);
  }
  return root;
}

/** The root element, a comment, a line break. */
const allowedBeside = new Set([1, 3, 8]);

function parsed(text: string): Element | null {
  try {
    const withoutDeclaration = text.replace(/^\uFEFF?\s*<\?xml\s[^>]*\?>/, '');
    return new DOMParser({ onError: onErrorStopParsing }).parseFromString(withoutDeclaration, 'image/svg+xml')
      .documentElement;
  } catch {
    return null;
  }
}

function runsOrLoads(attribute: string, value: string): boolean {
  const local = attribute.split(':').pop()?.toLowerCase() ?? '';
  return (
    local.startsWith('on') ||
    local === 'src' ||
    (local === 'href' && !value.startsWith('#')) ||
    attribute === 'xml:base' ||
    loads(value)
  );
}

/** Whether a value of CSS loads something. Escapes could hide it. */
const loads = (value: string): boolean =>
  /@import|image(?:-set)?\(|src\(|javascript:|\\/i.test(value) ||
  Array.from(value.matchAll(/url\(\s*["']?\s*(.?)/gis)).some(([, first]) => first !== '#');
