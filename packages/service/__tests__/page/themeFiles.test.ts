import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readThemes } from '../../src/platform/themes/themeFiles.ts';

const pngSignature = '89504e470d0a1a0a';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vestibule-themes-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const read = (kind: 'logo' | 'font', content: string | Buffer) => {
  writeFileSync(path.join(folder, 'file'), content);
  return readThemes({ default: { theme: { [kind]: 'file' } }, 'supplier-hub': {} }, folder);
};
const svg = (inside: string, attributes = 'viewBox="0 0 20 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

it('takes a logo and its proportions, and names it by its content', () => {
  const drawn = svg(
    '<style>.a { fill: url(#g) }</style><defs><linearGradient id="g"/></defs><use href="#g" style="fill:url( \'#g\')"/>',
  );
  const { files, addresses } = read('logo', `<?xml version="1.0"?>\n<!-- drawn -->\n${drawn}\n`);
  const { url = '', aspect } = addresses['default']?.logo ?? {};
  expect(url).toMatch(/^\/assets\/logo\.[0-9a-f]{10}\.svg$/);
  expect(aspect).toBe(2);
  expect(files[url]?.type).toBe('image/svg+xml; charset=utf-8');
  const png = read('logo', Buffer.from(`${pngSignature}0000000d494844520000000300000001`, 'hex'));
  expect(png.addresses['default']?.logo?.aspect).toBe(3);
  expect(png.addresses['default']?.logo?.url).toMatch(/\.png$/);
});

it.each([
  ['<script>', svg('<script>alert(1)</script>')],
  ['<s:script>', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
  ['<foreignObject>', svg('<foreignObject/>')],
  ['<a>', svg('<a href="#x"><path/></a>')],
  ['<image>', svg('<image href="https://evil.example/"/>')],
  ['<animate>', svg('<path><animate attributeName="d"/></path>')],
  ['<style>', svg('<style xmlns="http://www.w3.org/1999/xhtml"/>')],
  ['attribute onload', svg('', 'viewBox="0 0 1 1" onload="alert(1)"')],
  ['attribute xlink:href', svg('<use xlink:href="https://evil.example/#a"/>')],
  ['attribute href', svg('<use href="java&#115;cript:alert(1)"/>')],
  ['attribute style', svg('<path style="fill:url(  \'//evil.example\')"/>')],
  ['attribute fill', svg('<path fill="url(https://evil.example/a.svg#b)"/>')],
  ['a style that loads', svg('<style>@import "//evil.example";</style>')],
  ['a style that loads', svg('<style><![CDATA[path{fill:u\\72l(//evil.example)}]]></style>')],
  ['a style that loads', svg('<style>@im<tspan>x</tspan>port "//evil.example";</style>')],
  ['a style that loads', svg('<style>path { fill: src("//evil.example") }</style>')],
  // Shift_JIS reads the last byte and the bracket as one letter, so the section would end later.
  [
    'is neither a PNG nor an SVG in UTF-8',
    Buffer.concat([
      Buffer.from(
        '<?xml version="1.0" encoding="Shift_JIS"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><style><![CDATA[',
      ),
      Buffer.of(0x81),
      Buffer.from(']]></style><!--]]><script>alert(1)</script>--></svg>'),
    ]),
  ],
  ['is 30.0 times as wide as high', svg('', 'viewBox="0 0 30 1"')],
  ['is 0.0 times as wide as high', svg('', 'viewBox="0 0 1 90"')],
  [
    "has a document type: delete its '<!DOCTYPE …>', or save it with SVGO, which also replaces entities.",
    `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('')}`,
  ],
  ['has a document type: ', `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('<title>&x;</title>')}`],
  [
    "has a processing instruction: delete its '<?xml-stylesheet …?>'.",
    `<?xml-stylesheet href="//evil.example"?>${svg('')}`,
  ],
  [
    'has a <filter>: remove the effect, such as a shadow or a blur, or save it as a PNG.',
    svg('<filter id="f"><feGaussianBlur/></filter><path filter="url(#f)"/>'),
  ],
  ['neither a PNG nor a valid SVG', svg('<path>')],
  ['neither a PNG nor a valid SVG', '<html/>'],
  ['has no size', svg('', '')],
  ['has no size', Buffer.from(pngSignature, 'hex')],
  ['has 21 kB, and at most 20 are allowed', svg(' '.repeat(20 * 1024))],
])('refuses a logo by name: %s', (reason, content) => {
  expect(() => read('logo', content)).toThrow('brands.default.theme.logo (file) ');
  expect(() => read('logo', content)).toThrow(reason);
});

it('reports all faults of a logo at once', () => {
  const drawn = svg('<image/><filter/><path onclick="x"/><image/>', 'viewBox="0 0 30 1"');
  expect(() => read('logo', `<!DOCTYPE svg>${drawn}`)).toThrow(
    [
      "has a document type: delete its '<!DOCTYPE …>', or save it with SVGO, which also replaces entities.",
      'has a <filter>: remove the effect, such as a shadow or a blur, or save it as a PNG.',
      'has <image>, and a logo may only draw: save it as a plain SVG or as a PNG.',
      'has an attribute onclick that runs or loads something.',
      'is 30.0 times as wide as high, and 0.5 to 6 times are allowed.',
    ]
      .map((reason) => `brands.default.theme.logo (file) ${reason}`)
      .join('\n'),
  );
});

it.each([
  'https://cdn.example/acme.svg',
  '//cdn.example/acme.svg',
  `data:image/png;base64,${'A'.repeat(70)}`,
])('refuses the address %s as a logo', (logo) => {
  expect(() => readThemes({ default: { theme: { logo } } }, folder)).toThrow(
    `brands.default.theme.logo (${logo.slice(0, 80)}${logo.length > 80 ? '…' : ''}) must be a file of the deployment, not an address: download it, and give its path.`,
  );
});

it('refuses a font that is no WOFF2, and a file that is not there', () => {
  const font = Buffer.alloc(49, 'wOF2');
  expect(() => read('font', font)).toThrow('is not a complete WOFF2 file.');
  font.writeUInt32BE(font.length, 8);
  expect(read('font', font).addresses['default']?.font?.url).toMatch(/\.woff2$/);
  expect(() => read('font', 'wOFF')).toThrow(
    'brands.default.theme.font (file) is not a complete WOFF2 file.',
  );
  expect(() => readThemes({ default: { theme: { logo: 'missing.svg' } } }, folder)).toThrow(
    'brands.default.theme.logo (missing.svg) cannot be read: ',
  );
});
