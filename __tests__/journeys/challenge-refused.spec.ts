import * as v from 'valibot';
import { readyAuthenticatorKey } from '../../local/accounts';
import { appCode, wrongCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { pauseClock } from './support/pauseClock';
import { password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';
import type { World } from './support/world';

/** Guesses somebody's codes as another device would, past the application. */
async function guessElsewhere(world: World, username: string, times: number): Promise<void> {
  const ask = async (body: object): Promise<unknown> => {
    const headers = { origin: world.origin('app') };
    const answer = await world.request('api', { method: 'POST', path: '/auth/v1/token', headers, body });
    return JSON.parse(answer.body);
  };
  const one = { username, method: 'basic' };
  const { authVerificationToken } = v.parse(
    v.object({ authVerificationToken: v.string() }),
    await ask({ ...one, password }),
  );
  const mfaCode = wrongCode(appCode(readyAuthenticatorKey));
  for (let guess = 0; guess < times; guess += 1) await ask({ ...one, authVerificationToken, mfaCode });
}

test.describe('A code that is not taken', () => {
  test('turns the boxes red for 1.5 s under its dialog; empty again, they take another', async ({
    page,
    world,
    codes,
    ledger,
    cookies,
    pageFaults,
    atChallenge,
  }) => {
    pageFaults.allow(failedRequest(401));
    await page.clock.install();
    await atChallenge(people.theo);
    await codes.trustDevice.check();
    await pauseClock(page);
    await codes.type(wrongCode(appCode(readyAuthenticatorKey)));
    await page.keyboard.press('Enter');

    await codes.expectWrongCode();
    const red = page.locator('input[aria-invalid="true"]');
    await expect(red).toHaveCount(6);
    await page.clock.runFor(1499);
    await expect(red).toHaveCount(6);
    await page.clock.runFor(1);
    await expect(red).toHaveCount(0);
    expect(await codes.typed()).toBe('');
    await codes.closeWrongCode();
    await expect(codes.boxes.first()).toBeFocused();

    // Closed at once, the boxes are red, and take nothing, until the 1.5 s are over. This code's time is over, too.
    await page.keyboard.type(appCode(readyAuthenticatorKey, -3));
    await page.keyboard.press('Enter');
    await codes.expectWrongCode();
    await page.keyboard.press('Escape');
    await expect(codes.wrongCode).toBeHidden();
    await expect(red).toHaveCount(6);
    await page.clock.runFor(1500);
    await expect(codes.boxes.first()).toBeFocused();
    expect(await codes.typed()).toBe('');
    await expect(codes.trustDevice).toBeChecked();
    expect(await cookies.names()).toEqual([]);

    await page.clock.resume();
    await page.keyboard.type(appCode(readyAuthenticatorKey));
    await page.keyboard.press('Enter');
    await ledger.expectSignedIn('Theo');
    expect((await world.calls(tokenCall)).map(({ status }) => status)).toEqual([200, 401, 401, 200]);
  });

  test('once too often leads to the login, which says so once', async ({
    page,
    world,
    login,
    codes,
    cookies,
    pageFaults,
    atChallenge,
  }) => {
    pageFaults.allow(failedRequest(429));
    const said = /^Too many failed login attempts\. Please try again in 15 minutes\.$/;
    await atChallenge(people.theo, '?supplierHub=true');
    await guessElsewhere(world, people.theo, 4);
    await codes.type(wrongCode(appCode(readyAuthenticatorKey)));
    await codes.submitButton.click();

    await expect(login.errorDialog.getByText(said)).toBeVisible();
    await expect(codes.wrongCode).toBeHidden();
    await expect(page).toHaveURL(`${world.origin('app')}/login?supplierHub=true`);
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('Too many');
    await login.closeLoginError();
    await expect(login.username).toBeFocused();
    await page.reload();
    await expect(login.nextButton).toBeVisible();
    await expect(login.errorDialog).toBeHidden();
    await page.goBack();
    await expect(login.nextButton).toBeVisible();
    await expect(login.errorDialog).toBeHidden();

    // Locked, the password alone leads no further than that message either.
    await login.signInAs(people.theo, password);
    await expect(login.errorDialog.getByText(said)).toBeVisible();
    expect(await cookies.read(cookieName.session)).toBeUndefined();
  });
});
