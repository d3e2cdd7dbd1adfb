import { expect as playwrightExpect } from '@playwright/test';
import { expectDriven } from '../engines/expectDriven';

/** Playwright's `expect`, which also knows the pages and locators that WebDriver drives. */
export const expect = new Proxy(playwrightExpect, {
  apply: (target, _this, [actual, ...more]: [unknown, ...[string]]): unknown =>
    expectDriven(actual) ?? target(actual, ...more),
});
