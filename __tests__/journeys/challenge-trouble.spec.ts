import type { Request } from '@playwright/test';
import { readyAuthenticatorKey } from '../../local/accounts';
import { accountOf } from './support/accountOf';
import { appCode, textedCode } from './support/codes';
import { holdCalls } from './support/holdCalls';
import { failedRequest } from './support/pageFaults';
import { people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

const tokenPath = '/auth/v1/token';

test.describe('When the service fails at the second step', { tag: '@long' }, () => {
  test('the code is not taken, is sent once each time, and works once the service is back', async ({
    page,
    world,
    cookies,
    codes,
    ledger,
    pageFaults,
    atChallenge,
  }) => {
    pageFaults.allow(failedRequest('net::ERR_'), failedRequest(500), failedRequest(401));
    await atChallenge(people.theo);
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(tokenPath) && request.method() === 'POST') sent += 1;
    });
    const code = appCode(readyAuthenticatorKey);
    const over = { error: { message: 'The time to enter the code is over.', code: 'invalid_verification' } };
    const troubles = [
      { kind: 'down' },
      { kind: 'html' },
      { kind: 'answer', status: 500, body: 'Out of order' },
      { kind: 'answer', status: 200, body: { token: 7 } },
      { kind: 'answer', status: 401, body: over },
    ] as const;
    for (const fault of troubles) {
      await world.fail({ path: tokenPath, fault });
      await codes.type(code);
      await page.keyboard.press('Enter');
      await codes.expectWrongCode();
      await codes.closeWrongCode();
      await expect.poll(() => codes.typed()).toBe('');
      await world.heal();
    }
    expect(sent).toBe(troubles.length);
    expect(await cookies.names()).toEqual([]);

    await codes.type(appCode(readyAuthenticatorKey));
    await page.keyboard.press('Enter');
    await ledger.expectSignedIn('Theo');
  });

  test('a right code that leads nowhere says why in the Login Error dialog', async ({
    page,
    world,
    cookies,
    login,
    codes,
    pageFaults,
    atChallenge,
  }) => {
    pageFaults.allow(/create relation in db/);
    const mfa = { type: 'mfa', secret: readyAuthenticatorKey } as const;
    await world.account(accountOf('una.two@payments.example', { mfa, personas: {} }));
    await atChallenge('una.two@payments.example');
    for (const [body, message] of [
      [{ mfaRequired: true, mfaType: 'mfa' }, 'Authentication error. Please try again.'],
      [
        {},
        'We were unable to match the User ID and password you entered. Please check your entries and try again.',
      ],
    ] as const) {
      await world.fail({ path: tokenPath, fault: { kind: 'answer', status: 200, body }, times: 1 });
      await codes.type('123456');
      await codes.submitButton.click();
      await login.expectLoginError(message);
      await login.closeLoginError();
      await expect(codes.boxes.first()).toBeFocused();
      expect(await codes.typed()).toBe('');
    }
    await codes.type(appCode(readyAuthenticatorKey));
    await page.keyboard.press('Enter');
    await login.expectLoginError('create relation in db');
    expect(await cookies.names()).toEqual([]);
  });
});

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
