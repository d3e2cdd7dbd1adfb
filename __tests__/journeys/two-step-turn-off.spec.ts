import { accountOf } from './support/accountOf';
import { sessionBearer } from './support/bearers';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { sentCalls, twoStepPaths } from './support/sentCalls';
import { expect, test } from './support/test';

const eve = 'eve@payments.example';
const token = expect.stringMatching(/^[\w-]{43}$/) as unknown;
const disableCall = 'POST /mfa/v1/disable';

test.describe('Turning two-step verification off', () => {
  test('asks for confirmation, verifies identity, and shows an error when it fails', async ({
    page,
    environment,
    cookies,
    settings,
    twoStep,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(500), failedRequest(409));
    await environment.account(accountOf(eve, {}));
    await signedInAs(eve);
    await environment.account(accountOf(eve, { mfa: { type: 'mfa', secret: 'KVKFKRCPNZQUYMLX' } }));
    await cookies.leave(cookieName.trust(eve), 'a.trusted.token');
    await cookies.leave(cookieName.trust(users.several), 'another.trusted.token');
    await settings.open();

    const cancel = twoStep.turnOffDialog.getByRole('button', { name: 'Cancel', exact: true });
    const confirm = twoStep.turnOffDialog.getByRole('button', { name: 'Turn Off 2-Step', exact: true });
    await twoStep.turnOff.click();
    await cancel.click();
    await expect(twoStep.turnOffDialog).toBeHidden();
    await expect(twoStep.turnOff).toBeFocused();
    expect(await cookies.read(cookieName.trust(eve))).toBe('a.trusted.token');

    await twoStep.turnOff.click();
    await confirm.click();
    await expect(page).toHaveURL(/\/ask-password\/disable$/);
    expect(await cookies.read(cookieName.trust(eve))).toBeUndefined();
    expect(await cookies.read(cookieName.trust(users.several))).toBe('another.trusted.token');

    for (const [status, body, words] of [
      [409, { error: { message: 'Your company asks for it.' } }, 'Your company asks for it.'],
      [500, {}, 'We were unable to verify your identity. Please try again.'],
    ] as const) {
      await environment.fail({ path: '/mfa/v1/disable', times: 1, fault: { kind: 'answer', status, body } });
      await twoStep.verify();
      await twoStep.closeRefusal(words);
      await expect(page).toHaveURL(/\/ask-password\/disable$/);
    }
    // A reload drops the confirmation.
    await page.reload();
    await settings.expectOpen();
    await twoStep.turnOff.click();
    await confirm.click();
    await twoStep.verify();
    await settings.expectOpen();
    await expect(twoStep.getStarted).toBeVisible();
    // A finished step is not in the history.
    await page.goBack();
    await settings.expectOpen();

    const { token: bearer } = await sessionBearer(cookies);
    const once = [
      { call: 'POST /auth/v1/validate-password', bearer, body: { password } },
      { call: disableCall, bearer, body: { password, authVerificationToken: token } },
    ];
    expect(await sentCalls(environment, ...twoStepPaths)).toEqual([...once, ...once, ...once]);
  });
});
