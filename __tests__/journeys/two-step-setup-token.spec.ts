import { calls, owner, tokensOf } from './support/hostile/calls';
import { openSignedIn } from './support/hostile/stage';
import { expect, test } from './support/hostile/test';

test.describe('A session whose token carries isMfaSetup', { tag: '@long' }, () => {
  test('sets up an app without another proof, and the 180 s lead to the sign-on base address', async ({
    stage,
    world,
  }) => {
    const { page, service, settings, twoStep, codes } = stage;
    const attributes = { email: '', authyActive: false, twoFactorActive: false };
    service.prepare(calls.attributes, { data: { attributes } });
    service.prepare(calls.addAuthenticator);
    service.prepare(calls.validateSetup, 'OK');
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().startsWith(world.origin('api'))) return;
      const { authorization } = request.headers();
      sent.push([new URL(request.url()).pathname, authorization, request.postDataJSON()]);
    });
    const tokens = tokensOf({ isMfaSetup: true });
    await openSignedIn(stage, '/account-settings', tokens);
    await twoStep.getStarted.click();
    await twoStep.authenticatorApp.click();
    await twoStep.shownKey();
    await expect(page).toHaveURL(new RegExp(`/qrcode-start/${owner.uid}$`));
    await twoStep.continueButton.click();
    await codes.type('123456');
    await expect(page).toHaveURL(/\/mfa-activated\?method=qrcode$/);
    const bearer = `Bearer ${tokens.token}`;
    expect(sent).toEqual([
      ['/mfa/v1/twofactor-add', bearer, {}],
      ['/mfa/v1/validate-setup', bearer, { mfaCode: '123456', mfaRegistering: 'mfa' }],
    ]);

    await twoStep.done.click();
    await settings.expectOpen();
    await twoStep.getStarted.click();
    await twoStep.textMessage.click();
    await expect(twoStep.phone).toBeVisible();
    await page.clock.fastForward('02:31');
    await expect(twoStep.expiring).toBeVisible();
    const left = page.waitForRequest(`${world.origin('app')}/`);
    await page.clock.fastForward('00:30');
    expect((await left).isNavigationRequest()).toBe(true);
    // Somebody who is signed in goes on to the settings from there.
    await settings.expectOpen();
    expect(sent).toHaveLength(2);
  });
});
