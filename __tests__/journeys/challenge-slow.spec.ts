import type { Request } from '@playwright/test';
import { readyAuthenticatorKey } from '../../local/accounts';
import { appCode, textedCode } from './support/codes';
import { holdCalls } from './support/holdCalls';
import { people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

const token = /\/auth\/v1\/token$/;

test.describe('While the service is slow with the second step', { tag: '@long' }, () => {
  test('five fast clicks are one call, and no new code is asked for meanwhile', async ({
    page,
    world,
    codes,
    ledger,
    atChallenge,
  }) => {
    await atChallenge(people.tess);
    const code = await textedCode(world, '+12025550143');
    const held = await holdCalls(page, token);
    await codes.type(code);
    await pressMouse(codes.submitButton, 5);
    await page.keyboard.press('Enter');

    await expect(codes.submitButton).toBeDisabled();
    await expect(codes.resendButton).toBeDisabled();
    await codes.boxes.first().press('9');
    expect(await codes.typed()).toBe(code);
    held.release();
    await ledger.expectSignedIn('Tess');
    expect(held.count()).toBe(1);
    expect(await world.calls(tokenCall)).toHaveLength(2);
  });

  test('the code waits for a new text message that is on its way', async ({
    page,
    world,
    codes,
    ledger,
    atChallenge,
  }) => {
    await atChallenge(people.tess);
    const held = await holdCalls(page, token);
    await pressMouse(codes.resendButton, 5);
    await expect.poll(() => held.count()).toBe(1);
    held.release();
    await codes.type(await textedCode(world, '+12025550143', 2));
    await codes.submitButton.click();
    await ledger.expectSignedIn('Tess');
    expect(held.count()).toBe(2);
  });

  test('going back to the login gives it up: the late answer signs nobody in', async ({
    page,
    cookies,
    login,
    codes,
    atChallenge,
  }) => {
    await atChallenge(people.theo);
    const held = await holdCalls(page, token);
    await codes.trustDevice.check();
    await codes.type(appCode(readyAuthenticatorKey));
    const isTokenCall = (request: Request): boolean =>
      request.url().endsWith('/auth/v1/token') && request.method() === 'POST';
    const over = Promise.any([
      page.waitForEvent('requestfinished', isTokenCall),
      page.waitForEvent('requestfailed', isTokenCall),
    ]);
    await codes.submitButton.click();
    await codes.backToLogin.click();
    await expect(login.username).toBeVisible();
    held.release();
    await over;

    await login.expectUsable(people.theo);
    expect(await cookies.names()).toEqual([]);
    await expect(page).toHaveURL(/\/login$/);
  });
});
