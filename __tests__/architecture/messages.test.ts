/** @jest-environment node */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const source = join(__dirname, '../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.messages.ts'),
);

/** Every text of a catalogue; one that is built from values gets '{0}', '{1}'. */
function textsOf(catalogue: unknown): readonly string[] {
  if (typeof catalogue === 'string') return [catalogue];
  if (typeof catalogue === 'function') {
    const placeholders = Array.from({ length: catalogue.length }, (_, index) => `{${String(index)}}`);
    return [String(Reflect.apply(catalogue, undefined, placeholders))];
  }
  return typeof catalogue === 'object' && catalogue !== null ? Object.values(catalogue).flatMap(textsOf) : [];
}

it.each(files)('%s exports texts as …Messages; none is empty or has surrounding spaces', async (file) => {
  const exported = (await import(join(source, file))) as Readonly<Record<string, unknown>>;
  const catalogues = Object.entries(exported).filter(([name]) => name.endsWith('Messages'));
  const texts = catalogues.flatMap(([, catalogue]) => textsOf(catalogue));
  expect(texts).not.toEqual([]);
  expect(texts.filter((text) => text === '' || text.trim() !== text)).toEqual([]);
});
