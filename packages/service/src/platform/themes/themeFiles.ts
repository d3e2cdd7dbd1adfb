import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Theme } from '@vestibule/contract/appConfig';
import type { ThemeFiles } from '@vestibule/contract/themeStyle';
import { DOMParser, onErrorStopParsing, type Element, type Node } from '@xmldom/xmldom';

/** The logos and fonts of the themes. */
export interface Themes {
  /** By path on the hosts of the page; the path contains a hash of the content. */
  readonly files: Readonly<Record<string, { readonly type: string; readonly content: Buffer }>>;
  /** By brand. */
  readonly addresses: Readonly<Record<string, ThemeFiles>>;
}

export const noThemes: Themes = { files: {}, addresses: {} };

/** Themes were refused. Each sentence names the key, its value and the reason. */
export class ThemesRefused extends Error {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.sentences = sentences;
  }
}

/** A file of a theme was refused. Each reason completes 'brands.….logo (file)'. */
class FileRefused extends Error {
  readonly reasons: readonly string[];
  constructor(...reasons: readonly string[]) {
    super();
    this.reasons = reasons;
  }
}

type WithFiles = Readonly<Record<string, { readonly theme?: Pick<Theme, 'logo' | 'font'> | undefined }>>;

/** Largest files, bytes. */
const largest = { logo: 20 * 1024, font: 100 * 1024 };

/**
 * Reads and checks the logos and fonts of the themes.
 *
 * @param folder that of the deployment's file, from which the paths start.
 * @throws ThemesRefused
 */
export function readThemes(brands: WithFiles, folder: string): Themes {
  const files: Record<string, { type: string; content: Buffer }> = {};
  const addresses: Record<string, ThemeFiles> = {};
  const refused: string[] = [];
  const read = (brand: string, kind: 'logo' | 'font', file: string) => {
    try {
      const content = contentOf(folder, file);
      const { type, extension, aspect } = kind === 'logo' ? checkedLogo(content) : checkedFont(content);
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
      const url = `/assets/${kind}.${hash}.${extension}`;
      files[url] = { type, content };
      return { [kind]: { url, aspect } };
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      // The address of an image can be the image itself.
      const name = file.length > 80 ? `${file.slice(0, 80)}…` : file;
      refused.push(...error.reasons.map((reason) => `brands.${brand}.theme.${kind} (${name}) ${reason}.`));
      return {};
    }
  };
  for (const [brand, { theme }] of Object.entries(brands))
    addresses[brand] = {
      ...(theme?.logo === undefined ? {} : read(brand, 'logo', theme.logo)),
      ...(theme?.font === undefined ? {} : read(brand, 'font', theme.font)),
    };
  if (refused.length > 0) throw new ThemesRefused(refused);
  return { files, addresses };
}

interface CheckedFile {
  readonly type: string;
  readonly extension: string;
  /** Width through height of an image. */
  readonly aspect: number;
}

function contentOf(folder: string, file: string): Buffer {
  if (/^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(file))
    throw new FileRefused('must be a file of the deployment, not an address: download it, and give its path');
  const found = path.resolve(folder, file);
  try {
    return readFileSync(found);
  } catch {
    throw new FileRefused(`cannot be read: ${found} is not there, or not readable`);
  }
}

/** The reason to refuse a file that is too large; otherwise empty. */
const tooLarge = ({ length }: Buffer, most: number): readonly string[] =>
  length > most
    ? [`has ${String(Math.ceil(length / 1024))} kB, and at most ${String(most / 1024)} are allowed`]
    : [];

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function checkedLogo(content: Buffer): CheckedFile {
  const isPng = content.subarray(0, pngSignature.length).equals(pngSignature);
  const { width, height, reasons } = isPng ? sizeOfPng(content) : checkedSvg(textOf(content));
  const aspect = width / height;
  const all = [...reasons, ...wrongAspect(aspect), ...tooLarge(content, largest.logo)];
  if (all.length > 0) throw new FileRefused(...all);
  // The file itself may declare another encoding than the one that was checked.
  const [type, extension] = isPng ? ['image/png', 'png'] : ['image/svg+xml; charset=utf-8', 'svg'];
  return { type, extension, aspect };
}

interface CheckedImage {
  readonly width: number;
  readonly height: number;
  /** Why it is refused. */
  readonly reasons: readonly string[];
}

/** The first chunk has the size. */
const sizeOfPng = (content: Buffer): CheckedImage =>
  content.length < 24
    ? { width: 0, height: 0, reasons: [] }
    : { width: content.readUInt32BE(16), height: content.readUInt32BE(20), reasons: [] };

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
  const reasons = tooLarge(content, largest.font);
  if (reasons.length > 0) throw new FileRefused(...reasons);
  return { type: 'font/woff2', extension: 'woff2', aspect: 1 };
}

/** The header of a small screen has room for six times the height. */
function wrongAspect(aspect: number): readonly string[] {
  if (!(aspect > 0 && aspect < Infinity)) return ['has no size: an SVG needs a viewBox, or width and height'];
  return aspect < 0.5 || aspect > 6
    ? [`is ${aspect.toFixed(1)} times as wide as high, and 0.5 to 6 times are allowed`]
    : [];
}

/** Elements that only draw. */
const drawing = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'style', 'text', 'tspan'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
  ...['linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask', 'pattern'],
]);

/** Allows an SVG that only draws, because it is served on the login host. */
function checkedSvg(text: string): CheckedImage {
  const root = parsed(text);
  if (root?.localName !== 'svg' || root.namespaceURI !== 'http://www.w3.org/2000/svg')
    // The parser does not support the entities of a document type.
    throw new FileRefused(
      root === null && /<!DOCTYPE/i.test(text) ? documentType : 'is neither a PNG nor a valid SVG',
    );
  const elements = [root, ...root.getElementsByTagName('*')];
  const reasons = [
    ...Array.from(root.ownerDocument?.childNodes ?? []).flatMap(refusedBeside),
    ...refusedElements(elements),
    ...elements.flatMap(refusedParts),
  ];
  const box =
    root
      .getAttribute('viewBox')
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const size = ['width', 'height'].map((name) => root.getAttribute(name) ?? '');
  const [width = 0, height = 0] = (box.length === 4 ? box.slice(2) : size).map(parseFloat);
  return { width, height, reasons: [...new Set(reasons)] };
}

const documentType =
  "has a document type: delete its '<!DOCTYPE …>', or save it with SVGO, which also replaces entities";

/** Allows only comments and line breaks beside the root element. */
function refusedBeside({ nodeType, nodeName }: Node): readonly string[] {
  if ([1, 3, 8].includes(nodeType)) return [];
  return [nodeType === 10 ? documentType : `has a processing instruction: delete its '<?${nodeName} …?>'`];
}

function refusedElements(elements: readonly Element[]): readonly string[] {
  const refused = elements.filter(
    ({ tagName, namespaceURI }) => !drawing.has(tagName) || namespaceURI !== elements[0]?.namespaceURI,
  );
  const isEffect = ({ tagName }: Element) => tagName === 'filter' || tagName.startsWith('fe');
  const others = new Set(refused.filter((one) => !isEffect(one)).map(({ tagName }) => `<${tagName}>`));
  return [
    ...(refused.some(isEffect)
      ? ['has a <filter>: remove the effect, such as a shadow or a blur, or save it as a PNG']
      : []),
    ...(others.size > 0
      ? [`has ${[...others].join(', ')}, and a logo may only draw: save it as a plain SVG or as a PNG`]
      : []),
  ];
}

function refusedParts(element: Element): readonly string[] {
  const { tagName, textContent } = element;
  // Browsers do not read the elements in a style, so a text in two parts could hide what it says.
  const isLoading =
    tagName === 'style' && (element.getElementsByTagName('*').length > 0 || loads(textContent ?? ''));
  return [
    ...(isLoading ? ['has a style that loads something'] : []),
    ...Array.from(element.attributes)
      .filter(({ name, value }) => runsOrLoads(name, value))
      .map(({ name }) => `has an attribute ${name} that runs or loads something`),
  ];
}

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
