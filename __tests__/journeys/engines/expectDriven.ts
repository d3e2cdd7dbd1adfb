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
    toBeVisible: async () => {
      await one('to be visible', ({ visible }) => visible);
    },
    toBeInViewport: async ({ ratio = 0 }: { readonly ratio?: number } = {}) => {
      await one(`to be in the window, ${String(ratio)} of it`, ({ visible, inWindow }) =>
        // A part of a pixel may be lost in the sum.
        ratio === 0 ? visible && inWindow > 0 : visible && inWindow > ratio - 0.001,
      );
    },
    toBeHidden: async () => {
      await about('to be hidden', (all) => all.every(({ visible }) => !visible));
    },
    toBeEnabled: async () => {
      await one('to be enabled', ({ enabled }) => enabled);
    },
    toBeDisabled: async () => {
      await one('to be disabled', ({ enabled }) => !enabled);
    },
    toBeFocused: async () => {
      await one('to be focused', ({ focused }) => focused);
    },
    toBeChecked: async () => {
      await one('to be checked', ({ checked }) => checked);
    },
    toHaveCount: async (count: number) => {
      await about(`${String(count)} times`, ({ length }) => length === count);
    },
    toHaveText: async (wanted: Wanted) => {
      await one(`with the text ${String(wanted)}`, ({ text }) => isText(text, wanted));
    },
    toContainText: async (wanted: Wanted) => {
      await one(`with ${String(wanted)} in it`, ({ text }) => hasText(text, wanted));
    },
    toHaveValue: async (wanted: Wanted) => {
      await one(`with the value ${String(wanted)}`, ({ value }) =>
        typeof wanted === 'string' ? value === wanted : wanted.test(value),
      );
    },
    toHaveAttribute: async (name: string, wanted?: Wanted) => {
      await one(`with ${name}=${String(wanted)}`, ({ attributes }) => {
        const value = attributes[name];
        return value !== undefined && (wanted === undefined || isText(value, wanted));
      });
    },
  };
}

function ofPage(page: DrivenPage, not: boolean) {
  const { baseURL } = page.context();
  return {
    toHaveURL: async (wanted: Wanted) => {
      await until(
        `to be at ${String(wanted)}`,
        not,
        async () => await page.address(),
        (address) =>
          typeof wanted === 'string' ? address === new URL(wanted, baseURL).href : wanted.test(address),
      );
    },
    toHaveTitle: async (wanted: Wanted) => {
      await until(
        `the title ${String(wanted)}`,
        not,
        async () => await page.title(),
        (title) => isText(title, wanted),
      );
    },
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
