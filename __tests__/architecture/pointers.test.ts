/** @jest-environment node */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const folders = ['src', 'packages', 'scripts', '__tests__', 'docs'];
const kinds = /^(?!.*\/dist\/).*\.(?:tsx?|mjs|cjs|css|yaml|html|md)$/;

/** Every file of the project that can hold a pointer, relative to the repository. */
const files = [
  ...folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  ),
  ...readdirSync(root),
].filter((file) => kinds.test(file) && !file.endsWith('schema.gen.ts') && !file.endsWith('pointers.test.ts'));

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The anchors of a document, as GitHub makes them from its headings. */
function anchorsOf(document: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of document.replace(/^```.*?^```/gms, '').matchAll(/^#{1,6} +(.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replace(/ /g, '-');
    let times = 0;
    while (anchors.has(times === 0 ? anchor : `${anchor}-${times}`)) times += 1;
    anchors.add(times === 0 ? anchor : `${anchor}-${times}`);
  }
  return anchors;
}

/** Whether a pointer leads to a file, and to a heading of it. `base`: the folder that its path starts from. */
function leadsSomewhere(base: string, pointer: string): boolean {
  const [target = '', anchor] = pointer.split('#');
  const file = path.join(root, base, target);
  return existsSync(file) && (anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).has(anchor));
}

/** Pointers of code: paths from the root of the repository, `docs/behaviour.md#routes`. */
function deadPointersOfCode(text: string): string[] {
  const pointers = text.match(/[\w./-]+\.md#[\w-]*|\bdocs\/[\w./-]+\.md\b/g) ?? [];
  return pointers.filter((pointer) => !leadsSomewhere('', pointer));
}

/** Links of a document, from its own folder, `[Routes](#routes)`, and files that it names from the root. */
function deadPointersOfDocument(file: string, text: string): string[] {
  const links = Array.from(
    text.matchAll(/(?:\]\(|(?:href|src|srcset)=")(?!\w+:)([^)\s"]+)/g),
    ([, link = '']) => link,
  );
  const named = Array.from(
    text.matchAll(new RegExp(`\`((?:${folders.join('|')})/[\\w./-]+)\``, 'g')),
    ([, name = '']) => name,
  );
  return [
    ...links.filter(
      (link) => !leadsSomewhere(path.dirname(file), link.startsWith('#') ? path.basename(file) + link : link),
    ),
    ...named.filter((name) => !leadsSomewhere('', name)),
  ];
}

test('every pointer leads to a file and a heading that exist', () => {
  const dead = files.flatMap((file) => {
    const text = read(file);
    const found = file.endsWith('.md') ? deadPointersOfDocument(file, text) : deadPointersOfCode(text);
    return found.map((pointer) => `${file}: ${pointer}`);
  });
  expect(dead).toEqual([]);
});

/** Documents that are not in the repository: a reader could not follow them. */
const outside = /\b(?:specification|spec|decisions),?[\s*/]+§|\breliability [A-Z]\d/;

test('nothing cites a document outside the repository', () => {
  const citing = files.filter((file) => outside.test(read(file)));
  expect(citing).toEqual([]);
});

test.each(['(specification §4, login flow)', 'decisions §7', '(specification\n * §4)', '(reliability F6)'])(
  'a citation of a document outside the repository: %s',
  (text) => {
    expect(outside.test(text)).toBe(true);
  },
);

test.each([
  ['a heading', '// docs/behaviour.md#refresh-call', []],
  ['a heading that does not exist', '// docs/behaviour.md#refresh-cal', ['docs/behaviour.md#refresh-cal']],
  ['a document that does not exist', '/* See docs/behavior.md. */', ['docs/behavior.md']],
  ['a path that does not start at the root', '// behaviour.md#routes', ['behaviour.md#routes']],
])('code that points to %s', (_case, text, expected) => {
  expect(deadPointersOfCode(text)).toEqual(expected);
});

test.each([
  ['its own heading', '[Routes](#routes), [same](behaviour.md#routes)', []],
  ['a heading that does not exist', '[Routes](#route)', ['#route']],
  ['a file that does not exist', '`src/app/nowhere.ts` and `src/start.tsx`', ['src/app/nowhere.ts']],
  ['another site', '[elsewhere](https://example.com/#x)', []],
])('a document that points to %s', (_case, text, expected) => {
  expect(deadPointersOfDocument('docs/behaviour.md', text)).toEqual(expected);
});
