import { features } from '@app/features';
import { freeze } from '@dev/lab/freeze';
import { scenarios, stateOf } from '@dev/lab/scenarios';
import { act } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { testConfig } from '../../support/builders';
import { settle } from '../../support/openApp';

/** The fields of the state that hold names, accounts and addresses. */
const fields = 'username firstName name account reference network disconnected'.split(' ');
const label = 'Quartz';

type Named = readonly [field: string, value: string];

const namesIn = (value: unknown, key = ''): readonly Named[] => {
  if (typeof value === 'string') return fields.includes(key) && value !== '' ? [[key, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, one]) => namesIn(one, field));
};

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Finds the texts of the page that contain a name. */
function textsWith(names: readonly Named[]) {
  const words = names.map(([field, value]) => ({
    field,
    word: new RegExp(`(?<!\\p{L})${escaped(value)}(?!\\p{L})`, 'u'),
  }));
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: { readonly field: string; readonly element: Element | null }[] = [];
  while (nodes.nextNode()) {
    const { data, parentElement: element } = nodes.currentNode as Text;
    for (const { field, word } of words) if (word.test(data)) found.push({ field, element });
  }
  return found;
}

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

it('every screen marks names, accounts, addresses and brands, so that page translators do not change them', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const brand = { label, look: 'default' } as const;
  const config = testConfig({
    brands: { default: brand, 'supplier-hub': brand },
    extensions: features.map(({ name }) => name),
  });
  const ofTheDeployment: readonly Named[] = [
    ['label', label],
    ['supportEmail', config.links.supportEmail],
  ];
  const frozen = freeze(root, config, document);
  const marked = new Set<string>();
  const faults = new Set<string>();
  for (const name of Object.keys(scenarios)) {
    const state = stateOf(name);
    if (!state) continue;
    await act(async () => {
      frozen.draw(state);
      // Wait until the late parts of the screen have loaded.
      await settle();
    });
    for (const { field, element } of textsWith([...ofTheDeployment, ...namesIn(state)]))
      if (element?.matches('[translate=no], [translate=no] *')) marked.add(field);
      else faults.add(`${name}: ${element?.outerHTML ?? ''}`);
  }
  expect([...faults]).toEqual([]);
  // The other fields belong to extensions.
  expect([...marked]).toEqual(expect.arrayContaining(['label', 'supportEmail', 'username', 'firstName']));
  act(() => root.unmount());
});
