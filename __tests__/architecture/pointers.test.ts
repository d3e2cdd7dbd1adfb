/** @jest-environment node */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Links between documents are checked by remark-validate-links in `npm run lint`.
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

/** Whether a pointer leads to a file, and to a heading of it, named as GitHub names it. */
function leadsSomewhere(pointer: string): boolean {
  const [file = '', anchor] = pointer.split('#');
  if (anchor === undefined || !existsSync(path.join(root, file))) return existsSync(path.join(root, file));
  const headings = Array.from(read(file).matchAll(/^#{1,6} +(.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replace(/ /g, '-'),
  );
  return headings.includes(anchor);
}

/** Of code: `docs/behaviour.md#routes`, from the root. */
const pointersOfCode = (text: string): readonly string[] =>
  text.match(/[\w./-]+\.md#[\w-]*|\bdocs\/[\w./-]+\.md\b/g) ?? [];

/** Of a document: the pictures in its folder, and files that it names from the root. */
function pointersOfDocument(file: string, text: string): readonly string[] {
  const pictures = Array.from(text.matchAll(/(?:src|srcset)="(?!\w+:)([^"]+)"/g), ([, name = '']) =>
    path.join(path.dirname(file), name),
  );
  const named = text.matchAll(new RegExp(`\`((?:${folders.join('|')})/[\\w./-]+)\``, 'g'));
  return [...pictures, ...Array.from(named, ([, name = '']) => name)];
}

test('every pointer leads to a file and a heading that exist', () => {
  const dead = files.flatMap((file) => {
    const text = read(file);
    const pointers = file.endsWith('.md') ? pointersOfDocument(file, text) : pointersOfCode(text);
    return pointers.filter((pointer) => !leadsSomewhere(pointer)).map((pointer) => `${file}: ${pointer}`);
  });
  expect(dead).toEqual([]);
});

test('nothing cites a document outside the repository', () => {
  const outside = /\b(?:specification|spec|decisions),?[\s*/]+§|\breliability [A-Z]\d/;
  expect(files.filter((file) => outside.test(read(file)))).toEqual([]);
});
