import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { users } from './support/users';
import { expect, test } from './support/test';

test.describe('The account settings', () => {
  test('load the account once, with the session’s token', async ({
    environment,
    cookies,
    settings,
    atSettings,
  }) => {
    await atSettings(users.several);
    await settings.expectLastChange('March 5th, 2026 at 9:07 am');
    await expect(
      settings.main.getByRole('heading', { name: '2-Step Verification', exact: true }),
    ).toBeVisible();
    await expect(settings.main.getByText('active', { exact: true })).toBeHidden();

    const session = (await cookies.read(cookieName.session)) ?? '';
    const calls = await environment.calls();
    expect(calls.map(({ method, status }) => `${method} ${String(status)}`)).toEqual(['GET 200']);
    expect(calls[0]?.path).toMatch(/^\/user-management\/v1\/users\/[^/?]+$/);
    expect(session).toContain(
      `"token":"${(calls[0]?.headers['authorization'] ?? '').replace('Bearer ', '')}"`,
    );
  });

  test(
    'work if the phone cannot be loaded, and so does the end of the set-up',
    { tag: '@long' },
    async ({ page, environment, settings, twoStep, codes, signedInAs, pageFaults }) => {
      pageFaults.allow(failedRequest(500));
      const warnings: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text());
      });
      await environment.fail({
        path: '/mfa/v1/authy-info',
        fault: { kind: 'answer', status: 500, body: {} },
      });
      await signedInAs(users.several);
      await settings.open();
      await twoStep.begin('sms');
      await twoStep.sendPhone('+1 202 555 0147');
      await codes.type(await textedCode(environment, '+12025550147'));
      await expect(
        page.getByRole('heading', { name: '2-Step Verification is on', exact: true }),
      ).toBeVisible();
      await expect.poll(() => warnings).toEqual([expect.stringContaining('authy-info failed')]);
      await expect(page.getByRole('alertdialog')).toBeHidden();

      await twoStep.done.click();
      await settings.expectOpen();
      await expect(twoStep.section.getByText('active', { exact: true })).toBeVisible();
      await expect(twoStep.changeNumber).toBeVisible();
      await expect.poll(() => warnings).toHaveLength(2);
    },
  );
});
