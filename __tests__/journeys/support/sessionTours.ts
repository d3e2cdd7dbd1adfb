import { expect } from '@playwright/test';
import { people } from './people';
import type { Tour } from './tour';

/** `/login`, from which an application has sent the person back too often. */
const stopped: Tour = async ({ page, world, signedInAs }, query, look) => {
  await signedInAs(people.ada);
  for (const _time of [1, 2, 3]) {
    await page.goto(`/login${query}`);
    await page.waitForURL(`${world.origin('ledger')}/`);
  }
  await page.goto(`/login${query}`);
  await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
  await look('stopped');
};

/** What a session can come to on its way. */
export const sessionTours: Readonly<Record<string, Tour>> = { 'a redirect loop that was stopped': stopped };
