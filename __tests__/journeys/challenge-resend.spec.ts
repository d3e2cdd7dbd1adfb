import { textedCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { pauseClock } from './support/pauseClock';
import { people, tokenCall } from './support/people';
import { expect, test } from './support/test';

const phone = '+12025550143';

test.describe('A new text message', { tag: '@long' }, () => {
  test('is said to be sent for 5 s, and its code takes the place of the first', async ({
    page,
    world,
    codes,
    ledger,
    pageFaults,
    atChallenge,
  }) => {
    pageFaults.allow(failedRequest(401));
    await page.clock.install();
    await atChallenge(people.tess);
    const first = await textedCode(world, phone);
    await codes.type('12');
    await pauseClock(page);
    await codes.resendButton.click();

    await expect(codes.sentLine).toBeVisible();
    await expect(codes.resendButton).toBeDisabled();
    await page.clock.runFor(4999);
    await expect(codes.sentLine).toBeVisible();
    await page.clock.runFor(1);
    await expect(codes.sentLine).toBeHidden();
    await expect(codes.resendButton).toBeEnabled();
    // What was typed meanwhile stays.
    expect(await codes.typed()).toBe('12');

    await codes.type(first);
    await codes.submitButton.click();
    await codes.expectWrongCode();
    await codes.closeWrongCode();
    await page.clock.runFor(1500);
    await expect(codes.boxes.first()).toBeFocused();
    await page.clock.resume();
    await codes.type(await textedCode(world, phone, 2));
    await codes.submitButton.click();
    await ledger.expectSignedIn('Tess');
    expect(await world.calls(tokenCall)).toHaveLength(4);
  });

  test('that is not sent is told, and the code that is there still works', async ({
    world,
    login,
    codes,
    ledger,
    pageFaults,
    atChallenge,
  }) => {
    pageFaults.allow(failedRequest(429), failedRequest('net::ERR_'));
    await atChallenge(people.tess);
    const message = 'Too many text messages were sent. Please try again later.';
    const body = { error: { message, code: 'rate_limited' } };
    await world.fail({ path: '/auth/v1/token', fault: { kind: 'answer', status: 429, body }, times: 1 });
    await codes.resendButton.click();
    await login.expectLoginError(message);
    await login.closeLoginError();
    await expect(codes.sentLine).toBeHidden();

    await world.fail({ path: '/auth/v1/token', fault: { kind: 'down' } });
    await codes.resendButton.click();
    await expect(login.errorDialog).toBeVisible();
    await login.closeLoginError();
    await world.heal();
    await codes.type(await textedCode(world, phone));
    await codes.submitButton.click();
    await ledger.expectSignedIn('Tess');
  });
});
