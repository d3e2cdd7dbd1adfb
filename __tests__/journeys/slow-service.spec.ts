import type { Request } from '@playwright/test';
import { holdCalls } from './support/holdCalls';
import { methodCall, password, people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

const methods = /\/auth\/v1\/method\//;
const token = /\/auth\/v1\/token$/;

test.describe('While the service is slow', () => {
  test('Next is disabled until the methods are there, and five fast clicks are one call', async ({
    page,
    world,
    login,
  }) => {
    const held = await holdCalls(page, methods);
    await login.open();
    await expect(login.nextButton).toBeDisabled();
    await login.typeUsername(people.ada);
    await expect(login.nextButton).toBeEnabled();
    await pressMouse(login.nextButton, 5);

    await expect(login.nextButton).toBeDisabled();
    held.release();
    await expect(login.password).toBeVisible();
    expect(held.count()).toBe(1);
    expect(await world.calls(methodCall(people.ada))).toHaveLength(1);
  });

  test('five fast presses of Enter in the username are one call', async ({ page, world, login }) => {
    const held = await holdCalls(page, methods);
    await login.open();
    await login.typeUsername(people.ada);
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Enter');

    held.release();
    await expect(login.password).toBeVisible();
    expect(await world.calls(methodCall(people.ada))).toHaveLength(1);
  });

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

  test('five fast presses of Enter in the password are one call', async ({ page, world, login, ledger }) => {
    const held = await holdCalls(page, token);
    await login.open();
    await login.enterUsername(people.ada);
    await login.typePassword(password);
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Enter');

    held.release();
    await ledger.expectSignedIn('Ada');
    expect(await world.calls(tokenCall)).toHaveLength(1);
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
