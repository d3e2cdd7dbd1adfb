import { accountOf } from './support/accountOf';
import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, people } from './support/people';
import { expect, test } from './support/test';

test.describe('The account settings', () => {
  test('ask for the account once, with the session’s token', async ({
    world,
    cookies,
    settings,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    await settings.expectLastChange('March 5th, 2026 at 9:07 am');

    const session = (await cookies.read(cookieName.session)) ?? '';
    const calls = await world.calls();
    expect(calls.map(({ method, status }) => `${method} ${String(status)}`)).toEqual(['GET 200']);
    expect(calls[0]?.path).toMatch(/^\/user-management\/v1\/users\/[^/?]+$/);
    expect(session).toContain(
      `"token":"${(calls[0]?.headers['authorization'] ?? '').replace('Bearer ', '')}"`,
    );
  });

  for (const [lastReset, text] of [
    [null, 'You have never changed your password'],
    // Eleven at night in New York is the next day in London.
    ['2026-01-02T04:30:00Z', 'January 1st, 2026 at 11:30 pm'],
    ['2025-07-03T16:00:00.000Z', 'July 3rd, 2025 at 12:00 pm'],
    ['2024-02-22T05:05:00Z', 'February 22nd, 2024 at 12:05 am'],
  ] as const) {
    test(`say '${text}'`, async ({ world, settings, signedInAs }) => {
      await world.account(
        accountOf('eve@payments.example', { lastReset, personas: personasOf(world.origin('ledger')) }),
      );
      await signedInAs('eve@payments.example');
      await settings.open();

      await settings.expectOpen();
      await settings.expectLastChange(text);
    });
  }

  test('say that two-step verification is not on', async ({ settings, signedInAs }) => {
    await signedInAs(people.sam);
    await settings.open();

    await expect(
      settings.main.getByRole('heading', { name: '2-Step Verification', exact: true }),
    ).toBeVisible();
    await expect(settings.main.getByText('active', { exact: true })).toBeHidden();
  });

  for (const { what, mfa, method } of [
    {
      what: 'text messages',
      mfa: { type: 'authy', phone: '+12025550143', countryCode: 'US', authyId: '70143' },
      method: 'SMS Text Message',
    },
    {
      what: 'an authenticator app',
      mfa: { type: 'mfa', secret: 'KVKFKRCPNZQUYMLX' },
      method: 'Authenticator App',
    },
  ] as const) {
    test(`say that two-step verification by ${what} is active`, async ({ world, settings, signedInAs }) => {
      const username = 'eve@payments.example';
      const personas = personasOf(world.origin('ledger'));
      await world.account(accountOf(username, { personas }));
      await signedInAs(username);
      await world.account(accountOf(username, { personas, mfa }));
      await settings.open();

      await expect(settings.main.getByText('active', { exact: true })).toBeVisible();
      await expect(settings.main).toContainText(method);
    });
  }

  test('stand without the phone when it cannot be had, and so does the end of the set-up', async ({
    page,
    world,
    settings,
    twoStep,
    codes,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(500));
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await world.fail({ path: '/mfa/v1/authy-info', fault: { kind: 'answer', status: 500, body: {} } });
    await signedInAs(people.sam);
    await settings.open();
    await twoStep.begin('sms');
    await twoStep.sendPhone('+1 202 555 0147');
    await codes.type(await textedCode(world, '+12025550147'));
    await expect(page.getByRole('heading', { name: '2-Step Verification is on', exact: true })).toBeVisible();
    await expect.poll(() => warnings).toEqual([expect.stringContaining('authy-info failed')]);
    await expect(page.getByRole('alertdialog')).toBeHidden();

    await twoStep.done.click();
    await settings.expectOpen();
    await expect(twoStep.section.getByText('active', { exact: true })).toBeVisible();
    await expect(twoStep.changeNumber).toBeVisible();
    await expect.poll(() => warnings).toHaveLength(2);
  });

  test('are there for somebody with one application too, who asks for them', async ({ login, settings }) => {
    await login.open('?url=%2Faccount-settings');
    await login.signInAs(people.ada, password);

    await settings.expectOpen();
    await settings.expectLastChange('You have never changed your password');
    await expect(settings.backButton).toBeVisible();
  });
});

function personasOf(origin: string): Record<string, { applicationUrl: string }[]> {
  return { ledger: [{ applicationUrl: `${origin}/` }] };
}
