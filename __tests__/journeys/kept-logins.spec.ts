import type { Locator, TestInfo } from '@playwright/test';
import { findFirefox } from '../../scripts/setup/programs.mjs';
import { openChromium } from './managers/chromiumManager';
import type { ManagedBrowser } from './managers/manager';
import { accountOf } from './support/accountOf';
import { textedCode } from './support/codes';
import { driverOf, hasDrivers } from './support/engine';
import { holdRequests } from './support/holdRequests';
import { noteCells } from './support/tableReporter';
import { expect, test as base } from './support/test';
import { password } from './support/users';

const clients = {
  Chromium: openChromium,
  Firefox: async (baseURL: string): Promise<ManagedBrowser> => {
    const manager = await driverOf('firefox').openManaged?.(baseURL);
    if (!manager) throw new Error('Its driver has no password manager.');
    return manager;
  },
} as const;

/** Someone whose username is not the e-mail. */
const username = 'ada.l';
const email = 'ada.lovelace@payments.example';
const newPassword = 'Harbour-gate8';

interface Fixtures {
  readonly client: keyof typeof clients;
  readonly manager: ManagedBrowser;
  /** Types into a field, as a user does. */
  readonly type: (field: Locator, text: string) => Promise<void>;
  /** Opens a page whose code arrives only when it is released. */
  readonly openBeforeCode: (url: string) => Promise<() => void>;
  /** Sets a new password for the one login: the manager asks when it is saved, not before, and updates the login. */
  readonly updatesLogin: () => Promise<void>;
  /** Keeps what the manager did on a screen, for the table. */
  readonly note: (screen: string, does: string) => void;
}

const test = base.extend<Fixtures>({
  client: ['Chromium', { option: true }],
  manager: async ({ client, baseURL }, use) => {
    const manager = await clients[client](baseURL ?? '');
    await use(manager);
    await manager.close();
  },
  context: async ({ manager }, use) => {
    await use(manager.context);
  },
  page: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await context.newPage()));
  },
  type: async ({ page }, use) => {
    await use(async (field, text) => {
      await field.click();
      await page.keyboard.type(text);
    });
  },
  openBeforeCode: async ({ page }, use) => {
    await use(async (url) => {
      const release = await holdRequests(page, /\/assets\/[^/]+\.js$/);
      await page.goto(url, { waitUntil: 'commit' });
      return release;
    });
  },
  updatesLogin: async ({ page, passwords, manager, type }, use) => {
    await use(async () => {
      await type(passwords.password, newPassword);
      await type(passwords.confirm, newPassword);
      expect(await manager.asks()).toBe(false);
      await page.keyboard.press('Enter');
      await expect(passwords.savedTitle).toBeVisible();
      await manager.accept();
      await expect.poll(manager.kept).toEqual([{ username, password: newPassword }]);
    });
  },
  note: async ({ client }, use, info: TestInfo) => {
    await use((screen, does) => {
      noteCells(info, { row: screen, cells: { [client]: does } });
    });
  },
});

// In Firefox it draws over the page with a style that the content-security policy forbids.
test.use({ screenshot: 'off' });

for (const client of ['Chromium', 'Firefox'] as const) {
  test.describe(`${client}’s own password manager`, { tag: '@desktop' }, () => {
    test.use({ client });
    const hasFirefox = hasDrivers && findFirefox() !== null;
    test.skip(client === 'Firefox' && !hasFirefox, 'Firefox or its driver is not installed.');

    test('keeps the login of a sign-in under the username', async ({
      page,
      environment,
      login,
      settings,
      manager,
      type,
      note,
    }) => {
      await environment.account(accountOf(username, { email }));
      await login.open();
      await type(login.username, username);
      await page.keyboard.press('Enter');
      await type(login.password, password);
      await page.keyboard.press('Enter');
      await settings.expectOpen();
      await manager.accept();
      await expect.poll(manager.kept).toEqual([{ username, password }]);
      note('first sign-in', 'offers to save, under the username');
    });

    test('fills in at sign-in and verify identity, and keeps the one login through a change', async ({
      environment,
      login,
      settings,
      twoStep,
      manager,
      updatesLogin,
      note,
    }) => {
      await environment.account(accountOf(username, { email }));
      await manager.keep(environment.origin('app'), { username, password });
      await login.open();
      await manager.choose(login.username);
      await expect(login.username).toHaveValue(username);
      note('/login, username', client === 'Firefox' ? 'fills in' : 'offers, fills in');
      await login.next();
      await login.password.click();
      await expect(login.password).toHaveValue(password);
      await login.signIn();
      await settings.expectOpen();
      note('/login, password', 'fills in');

      await settings.main.getByRole('button', { name: 'Change Password', exact: true }).click();
      await twoStep.password.click();
      await expect(twoStep.password).toHaveValue(password);
      await expect(twoStep.email).toHaveValue(email);
      await twoStep.nextButton.click();
      await updatesLogin();
      note('verify identity', 'fills in, keeps nothing else');
      note('change', 'updates the login');
    });

    test('updates the one login after a reset by link', async ({
      environment,
      page,
      passwords,
      manager,
      type,
      openBeforeCode,
      updatesLogin,
      note,
    }) => {
      await environment.account(accountOf(username, { email }));
      await manager.keep(environment.origin('app'), { username, password });
      await page.goto('/forgot-password');
      await type(passwords.email, email);
      await expect(passwords.email).toHaveValue(email);
      note('forgot', 'leaves it alone');

      const releaseCode = await openBeforeCode((await environment.link({ kind: 'reset', username })).url);
      // Firefox takes the username from the hidden form of the page, which it fills in only if the code is not faster.
      if (client === 'Firefox')
        await expect(page.locator('#root[hidden] [name=username]')).toHaveValue(username);
      releaseCode();
      await updatesLogin();
      note('reset', 'updates the login');
    });

    test('keeps no name of an activation for the username', async ({
      environment,
      page,
      passwords,
      manager,
      type,
      note,
    }) => {
      await page.goto((await environment.link({ kind: 'invitation', username: 'nia.o' })).url);
      await type(passwords.firstName, 'Nia');
      await type(passwords.lastName, 'Okafor');
      await type(passwords.password, newPassword);
      await type(passwords.confirm, newPassword);
      await page.keyboard.press('Enter');
      await expect(passwords.activatedTitle).toBeVisible();
      await manager.accept();
      await expect.poll(manager.kept).toEqual([{ username: '', password: newPassword }]);
      note('activate', 'offers to save, asks for the username');
    });

    test('keeps the one login through a set-up of two-step verification and a code', async ({
      environment,
      login,
      settings,
      twoStep,
      codes,
      manager,
      type,
      note,
    }) => {
      const phone = '+447700900148';
      await environment.account(accountOf(username, { email, mustSetUpMfa: true }));
      await manager.keep(environment.origin('app'), { username, password });
      const signIn = async () => {
        await manager.choose(login.username);
        await login.next();
        await login.password.click();
        await expect(login.password).toHaveValue(password);
        await login.signIn();
      };
      await login.open();
      await signIn();
      await settings.expectOpen();
      await twoStep.getStarted.click();
      await twoStep.textMessage.click();
      await expect(twoStep.phone).toHaveValue('');
      await type(twoStep.phone, phone);
      await twoStep.continueButton.click();
      await expect(codes.code).toHaveValue('');
      await codes.type(await textedCode(environment, phone));
      await twoStep.signIn.click();
      note('set-up that is required', 'keeps nothing else');

      await signIn();
      await codes.expectAtSignIn();
      await expect(codes.code).toHaveValue('');
      await codes.type(await textedCode(environment, phone, 2));
      await codes.submitButton.click();
      await settings.expectOpen();
      expect(await manager.asks()).toBe(false);
      expect(await manager.kept()).toEqual([{ username, password }]);
      note('code of the second step', 'leaves it alone');
    });

    test('fills the username in before the page’s code, if it looks that early, and the code keeps it', async ({
      environment,
      page,
      login,
      manager,
      openBeforeCode,
      note,
    }) => {
      await environment.account(accountOf(username, { email }));
      await manager.keep(environment.origin('app'), { username, password });
      const releaseCode = await openBeforeCode('/login');
      await login.username.click();
      // Chromium looks at a page after DOMContentLoaded, which comes after the code.
      const isEarly = client === 'Firefox';
      await expect(login.username).toHaveValue(isEarly ? username : '');
      await expect(page.locator('form[data-inline-login=open]')).toHaveCount(1);
      releaseCode();
      await expect(page.locator('form[data-inline-login]')).toHaveCount(0);
      if (!isEarly) {
        await login.rememberMe.focus();
        await manager.choose(login.username);
      }
      await expect(login.username).toHaveValue(username);
      await login.next();
      await login.password.click();
      await expect(login.password).toHaveValue(password);
      note('/login, before the code', isEarly ? 'fills in, is kept' : 'looks later');
    });
  });
}
