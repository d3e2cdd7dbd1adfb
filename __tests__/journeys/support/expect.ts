import { expect as playwrightExpect } from '@playwright/test';
import { driver } from './engine';

/** Playwright's `expect`, which also knows the pages and locators of another driver. */
export const expect = new Proxy(playwrightExpect, {
  apply: (target, _this, [actual, ...more]: [unknown, ...[string]]): unknown =>
    driver.expect?.(actual) ?? target(actual, ...more),
});
