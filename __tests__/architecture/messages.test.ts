/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageDescriptor } from '@lingui/core';

const source = join(__dirname, '../../src');
// Texts for developers are not translated.
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.messages.ts') && !file.startsWith('dev'),
);

/** Every message of a file. Functions get no values. */
function messagesIn(exported: unknown): readonly MessageDescriptor[] {
  if (typeof exported === 'function') return messagesIn(Reflect.apply(exported, undefined, []));
  if (typeof exported !== 'object' || exported === null) return [];
  if ('message' in exported && typeof exported.message === 'string') return [exported as MessageDescriptor];
  return Object.values(exported).flatMap(messagesIn);
}

const idsOf = new Map<string, string>();

it.each(files)(
  '%s exports texts as …Messages, each with an id of its own, and marked for the translation',
  async (file) => {
    const exported = (await import(join(source, file))) as Readonly<Record<string, unknown>>;
    const messages = Object.entries(exported)
      .filter(([name]) => name.endsWith('Messages'))
      .flatMap(([, one]) => messagesIn(one));
    expect(messages).not.toEqual([]);
    for (const { id, message = '' } of messages) {
      expect([message, message.trim()]).not.toContain('');
      expect(message).toBe(message.trim());
      expect(idsOf.get(id)).toBeUndefined();
      idsOf.set(id, file);
    }
    // Lingui extracts literals only, and only those that are marked.
    const code = readFileSync(join(source, file), 'utf8');
    const marked =
      code.match(/\/\*i18n\*\/ \(?\{\s*id: '[^']*',\s*message:\s*(['"])(?:(?!\1)[^\\]|\\.)*\1,?\s/g) ?? [];
    expect(marked).toHaveLength(messages.length);
  },
);
