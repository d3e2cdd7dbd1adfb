import type { Request } from '@playwright/test';
import { holdCalls } from './support/holdCalls';
import { password, people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

const token = /\/auth\/v1\/token$/;

test.describe('While the service is slow', () => {
  test('Sign In is disabled until the answer is there, and five fast clicks are one call', async ({
    page,
    world,
    login,
    ledger,
  }) => {
    const held = await holdCalls(page, token);
    await login.open();
    await login.enterUsername(people.ada);
    await expect(login.signInButton).toBeDisabled();
    await login.typePassword(password);
    await expect(login.signInButton).toBeEnabled();
    await pressMouse(login.signInButton, 5);

    await expect(login.signInButton).toBeDisabled();
    held.release();
    await ledger.expectSignedIn('Ada');
    expect(held.count()).toBe(1);
    expect(await world.bodies(tokenCall)).toEqual([{ username: people.ada, method: 'basic', password }]);
  });

  test('going back to the username gives the sign-in up: its late answer signs nobody in', async ({
    page,
    cookies,
    login,
  }) => {
    const held = await holdCalls(page, token);
    const isTokenCall = (request: Request): boolean =>
      request.url().endsWith('/auth/v1/token') && request.method() === 'POST';
    const over = Promise.any([
      page.waitForEvent('requestfinished', isTokenCall),
      page.waitForEvent('requestfailed', isTokenCall),
    ]);
    await login.open();
    await login.signInAs(people.ada, password);
    await login.backLink(people.ada).click();
    await expect(login.username).toHaveValue(people.ada);
    held.release();
    await over;

    await login.expectUsable(people.ada);
    expect(await cookies.names()).toEqual([]);
    await expect(page).toHaveURL(/\/login$/);
  });
});
