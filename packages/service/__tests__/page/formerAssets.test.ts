import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepAssets } from '../../src/page/formerAssets.ts';

const day = 86_400_000;
let folder: string;
const at = (...names: readonly string[]): string => path.join(folder, ...names);
const build = (name: string, files: Readonly<Record<string, string>>): string => {
  mkdirSync(at(name, 'assets'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(at(name, 'assets', file), text);
  return at(name);
};
const kept = (): readonly string[] => readdirSync(at('kept')).sort();

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vestibule-assets-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('keeps the files of a build for seven days after it was last in use, whatever is deployed meanwhile', async () => {
  const [first, second] = [build('first', { 'a.1.js': '1' }), build('second', { 'a.2.js': '2' })];
  await keepAssets(first, at('kept'), 0);
  // The process still runs, and marks its files again.
  await keepAssets(first, at('kept'), 100 * day);
  await keepAssets(second, at('kept'), 106 * day);
  expect(kept()).toEqual(['a.1.js', 'a.2.js']);
  await keepAssets(second, at('kept'), 108 * day);
  expect(kept()).toEqual(['a.2.js']);
  await keepAssets(first, at('kept'), 109 * day);
  expect(kept()).toEqual(['a.1.js', 'a.2.js']);
});

it('keeps the files of themes too', async () => {
  const files = { '/assets/logo.0a.svg': { type: 'image/svg+xml', content: Buffer.from('<svg/>') } };
  const first = build('first', { 'a.1.js': '1' });
  await keepAssets(first, at('kept'), 0, { files, addresses: {} });
  await keepAssets(first, at('kept'), 6 * day);
  expect(readFileSync(at('kept', 'logo.0a.svg'), 'utf8')).toBe('<svg/>');
  await keepAssets(first, at('kept'), 8 * day);
  expect(kept()).toEqual(['a.1.js']);
});

it('replaces a file that a killed process has copied in part', async () => {
  const whole = build('first', { 'a.1.js': 'whole' });
  mkdirSync(at('kept'));
  writeFileSync(at('kept', 'a.1.js'), 'wh');
  await keepAssets(whole, at('kept'), 0);
  expect(readFileSync(at('kept', 'a.1.js'), 'utf8')).toBe('whole');
  expect(kept()).toEqual(['a.1.js']);
});

it('lets processes share the folder, also when both remove the same files', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_one, index) => [`a.${index}.js`, 'a']));
  await keepAssets(build('old', many), at('kept'), 0);
  const next = build('next', { 'b.js': 'b' });
  await Promise.all([1, 2, 3].map(() => keepAssets(next, at('kept'), 100 * day)));
  expect(kept()).toEqual(['b.js']);
});

it('says that the folder cannot be written', async () => {
  writeFileSync(at('kept'), 'a file');
  await expect(keepAssets(build('first', { 'a.1.js': '1' }), at('kept'), 0)).rejects.toThrow(
    /EEXIST|ENOTDIR/,
  );
});
