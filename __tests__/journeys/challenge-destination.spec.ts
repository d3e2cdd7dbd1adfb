import { readyAuthenticatorKey } from '../../local/accounts';
import { appCode, textedCode } from './support/codes';
import { CodePage } from './pages/CodePage';
import { LoginPage } from './pages/LoginPage';
import { password, people } from './support/people';
import { withSeveralApplications } from './support/providerPeople';
import { expect, test } from './support/test';

const mfa = { type: 'mfa', secret: readyAuthenticatorKey } as const;

test.describe('Where the second step leads', () => {
  test('to the address that the login was given', async ({ page, world, codes, hub, atChallenge }) => {
    const query = `?url=${encodeURIComponent(`${world.origin('hub')}/?from=a%20b#here`)}`;
    await atChallenge(people.theo, query);
    await expect(page).toHaveURL(`${world.origin('app')}/two-auth${query}`);
    await codes.type(appCode(readyAuthenticatorKey));
    await codes.submitButton.click();
    await hub.expectSignedIn('Theo', '/?from=a%20b#here');
  });

  test(
    'to the account settings, after a provider as well, where there are several applications',
    { tag: '@long' },
    async ({ page, world, login, codes, settings, openProvider }) => {
      await world.account({ ...withSeveralApplications(world, people.alma), mfa });
      await login.open();
      await login.enterUsername(people.alma);
      const window = await openProvider(() => login.google.click());
      await window.finish();
      await codes.type(appCode(readyAuthenticatorKey));
      await codes.submitButton.click();
      await settings.expectOpen();
      // The code screen is no place to come back to.
      await page.goBack();
      await settings.expectOpen();
    },
  );

  test(
    'in the frame of a parent nowhere: it says that one is signed in, and the parent is told',
    { tag: '@long' },
    async ({ page, world, hub }) => {
      await page.addInitScript(() => {
        if (window.parent !== window) return;
        const heard: unknown[] = [];
        Object.assign(window, { heard });
        addEventListener('message', ({ data, origin }) => heard.push({ data: data as unknown, origin }));
      });
      await hub.open();
      const frame = page.frameLocator('iframe[title="Sign-on page"]');
      const login = new LoginPage(page, frame);
      const codes = new CodePage(page, frame);
      await login.signInAs(people.theo, password);
      await codes.expectAtSignIn();
      await expect(codes.boxes.first()).not.toBeFocused();
      await codes.type(appCode(readyAuthenticatorKey));
      await codes.submitButton.click();

      await expect(frame.getByText('You are signed in', { exact: true })).toBeVisible();
      await hub.expectSignedIn('Theo');
      expect(await page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([
        { data: 'removed_tokens', origin: world.origin('app') },
        { data: 'new_tokens', origin: world.origin('app') },
      ]);
      expect(page.frames().map((one) => one.url())).toContain(
        `${world.origin('app')}/login?supplierHub=true`,
      );
    },
  );

  test(
    'in two tabs with a challenge each, each tab by its own',
    { tag: '@long' },
    async ({ page, context, world, codes, ledger, atChallenge }) => {
      const other = await context.newPage();
      const [otherLogin, otherCodes] = [new LoginPage(other), new CodePage(other)];
      await atChallenge(people.theo);
      await otherLogin.open();
      await otherLogin.signInAs(people.tess, password);
      await otherCodes.expectAtSignIn();

      await codes.type(appCode(readyAuthenticatorKey));
      await codes.submitButton.click();
      await ledger.expectSignedIn('Theo');
      await otherCodes.expectAtSignIn();
      await otherCodes.type(await textedCode(world, '+12025550143'));
      await otherCodes.submitButton.click();
      await expect(other.getByText('Signed in as Tess.', { exact: true })).toBeVisible();
      await page.reload();
      await ledger.expectSignedIn('Tess');
    },
  );
});
