import { setTimeout as pause } from 'node:timers/promises';
import { DrivenLocator } from './drivenLocator';
import { DrivenPage } from './drivenPage';
import type { Facts } from './findInPage';
import { reads } from './reads';

const timeout = 20_000;
const betweenLooks = 100;

type Wanted = string | RegExp;

const normal = (text: string) => text.replace(/\s+/g, ' ').trim();
const isText = (text: string, wanted: Wanted) =>
  typeof wanted === 'string' ? normal(text) === normal(wanted) : wanted.test(text);
const hasText = (text: string, wanted: Wanted) =>
  typeof wanted === 'string' ? normal(text).includes(normal(wanted)) : wanted.test(text);

/** Polls until `holds` is true for the observed value, or false with `not`. */
async function until<Seen>(
  what: string,
  not: boolean,
  look: () => Promise<Seen>,
  holds: (seen: Seen) => boolean,
): Promise<void> {
  const end = Date.now() + timeout;
  for (;;) {
    const seen = await look();
    if (holds(seen) !== not) return;
    if (Date.now() > end) {
      throw new Error(`Expected ${not ? 'not ' : ''}${what}.\nSeen: ${JSON.stringify(seen, null, 2)}`);
    }
    await pause(betweenLooks);
  }
}

function ofLocator(locator: DrivenLocator, not: boolean) {
  const about = async (what: string, holds: (facts: readonly Facts[]) => boolean) => {
    await until(`${String(locator)} ${what}`, not, async () => await locator.facts(), holds);
  };
  const one = async (what: string, holds: (facts: Facts) => boolean) => {
    await about(what, (all) => {
      if (all.length > 1) throw new Error(`${String(locator)} leads to ${String(all.length)} elements.`);
      return all[0] !== undefined && holds(all[0]);
    });
  };
  return {
    toBeVisible: () => one('to be visible', ({ visible }) => visible),
    toBeInViewport: ({ ratio = 0 }: { readonly ratio?: number } = {}) =>
      one(`to be in the window, ${String(ratio)} of it`, ({ visible, inWindow }) =>
        // A part of a pixel may be lost in the sum.
        ratio === 0 ? visible && inWindow > 0 : visible && inWindow > ratio - 0.001,
      ),
    toBeHidden: () => about('to be hidden', (all) => all.every(({ visible }) => !visible)),
    toBeEnabled: () => one('to be enabled', ({ enabled }) => enabled),
    toBeFocused: () => one('to be focused', ({ focused }) => focused),
    toBeChecked: () => one('to be checked', ({ checked }) => checked),
    toHaveCount: (count: number) => about(`${String(count)} times`, ({ length }) => length === count),
    toHaveText: (wanted: Wanted) =>
      one(`with the text ${String(wanted)}`, ({ text }) => isText(text, wanted)),
    toContainText: (wanted: Wanted) =>
      one(`with ${String(wanted)} in it`, ({ text }) => hasText(text, wanted)),
    toHaveValue: (wanted: Wanted) =>
      one(`with the value ${String(wanted)}`, ({ value }) =>
        typeof wanted === 'string' ? value === wanted : wanted.test(value),
      ),
    toHaveAttribute: (name: string, wanted?: Wanted) =>
      one(`with ${name}=${String(wanted)}`, ({ attributes }) => {
        const value = attributes[name];
        return value !== undefined && (wanted === undefined || isText(value, wanted));
      }),
  };
}

function ofPage(page: DrivenPage, not: boolean) {
  const { baseURL } = page.context();
  return {
    toHaveURL: (wanted: Wanted) =>
      until(
        `to be at ${String(wanted)}`,
        not,
        () => page.address(),
        (address) =>
          typeof wanted === 'string' ? address === new URL(wanted, baseURL).href : wanted.test(address),
      ),
  };
}

/** What may be expected of a driven page or locator; `undefined` for anything else. */
export function expectDriven(actual: unknown): object | undefined {
  const words = (not: boolean) => {
    if (actual instanceof DrivenLocator) return ofLocator(actual, not);
    return actual instanceof DrivenPage ? ofPage(actual, not) : undefined;
  };
  const is = words(false);
  if (is === undefined) return undefined;
  return reads(Object.assign(is, { not: reads(words(true) ?? {}, 'expect.not') }), 'expect');
}
