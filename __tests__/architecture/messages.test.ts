/** @jest-environment node */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The sentences of docs/behaviour.md that no other test reads, by the catalogue that must contain them. */
const sentences = {
  verifyIdentity: [
    "To continue, first verify it's you",
    'You are authenticated via Google. Click Next to reauthenticate and continue.',
    'You are authenticated via Microsoft. Click Next to reauthenticate and continue.',
  ],
  provider: ['Microsoft Active Directory not properly configured, please contact {0}'],
} as const;

/** Every text of a catalogue; one that is built from values gets '{0}', '{1}'. */
function textsOf(catalogue: unknown): readonly string[] {
  if (typeof catalogue === 'string') return [catalogue];
  if (typeof catalogue === 'function') {
    const placeholders = Array.from({ length: catalogue.length }, (_, index) => `{${String(index)}}`);
    return [String(Reflect.apply(catalogue, undefined, placeholders))];
  }
  return typeof catalogue === 'object' && catalogue !== null ? Object.values(catalogue).flatMap(textsOf) : [];
}

const source = join(__dirname, '../../src');
const suffix = '.messages.ts';
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith(suffix),
);
/** The texts of every catalogue, by the name of its file; what the file exports as `…Messages`. */
const catalogues = new Map<string, readonly string[]>();

beforeAll(async () => {
  for (const file of files) {
    const exported = (await import(join(source, file))) as Readonly<Record<string, unknown>>;
    const found = Object.entries(exported).filter(([name]) => name.endsWith('Messages'));
    catalogues.set(
      basename(file, suffix),
      found.flatMap(([, catalogue]) => textsOf(catalogue)),
    );
  }
});

describe('the texts of the behaviour book', () => {
  it.each(
    Object.entries(sentences).flatMap(([feature, list]) =>
      list.map((sentence) => [feature, sentence] as const),
    ),
  )('stand in the catalogue of %s: %s', (feature, sentence) => {
    expect(catalogues.get(feature)).toContain(sentence);
  });

  it('stand in catalogues that are exported as …Messages, from files with different names', () => {
    expect([...catalogues].filter(([, texts]) => texts.length === 0)).toEqual([]);
    expect(catalogues.size).toBe(files.length);
  });

  it('are never empty and have no surrounding spaces', () => {
    const blemished = [...catalogues.values()].flat().filter((text) => text === '' || text.trim() !== text);
    expect(blemished).toEqual([]);
  });
});
