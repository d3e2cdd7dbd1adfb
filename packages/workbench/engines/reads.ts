import { test } from '@playwright/test';

/**
 * The object as a test reads it. A word of Playwright's that it does not have ends the test as skipped, with that word as
 * the reason: so the driver itself says which journeys it cannot run.
 */
export function reads<Target extends object>(target: Target, name: string): Target {
  return new Proxy(target, {
    get: (all, word) => {
      if (typeof word === 'symbol' || word in all || word === 'then' || word === 'toJSON') {
        return Reflect.get(all, word, all) as unknown;
      }
      return cannot(`${name}.${word}`);
    },
  });
}

/** Ends the test as skipped. */
export function cannot(what: string): never {
  test.skip(true, `WebDriver has no ${what}`);
  throw new Error('test.skip has returned');
}
