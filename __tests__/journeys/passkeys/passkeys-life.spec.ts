import type { Page } from '@playwright/test';
import { engine } from '../support/engine';
import { AccountSettingsPage } from '../pages/AccountSettingsPage';
import { LoginPage } from '../pages/LoginPage';
import { PasskeyParts } from './PasskeyParts';
import { TwoStepSetup } from '../pages/TwoStepSetup';
import { accountOf } from '../support/accountOf';
import { Authenticator } from '../support/authenticator';
import { sessionBearer } from '../support/bearers';
import { FamilyCookies } from '../support/familyCookies';
import { framedLogin, frameOf, untilFitted } from '../support/framed';
import { holdRequests } from '../support/holdRequests';
import { failedRequest } from '../support/pageFaults';
import { offers } from '../support/runEnvironment';
import { endOthersButton, expectSignedIn, signedInElsewhere } from '../support/tabs';
import { password, users } from '../support/users';
import { expect, test as journey } from '../support/test';
import type { LocalEnvironment } from '../support/environment';

journey.skip(engine !== 'chromium', 'Only Chromium has virtual authenticators');
journey.skip(!offers('passkeys'), 'It is an extension.');

const test = journey.extend<{
  readonly passkeys: PasskeyParts;
  /** At the settings of `users.several`, with a passkey; no user touches the sensor any more. */
  readonly withPasskey: () => Promise<Authenticator>;
}>({
  passkeys: async ({ page }, use) => {
    await use(new PasskeyParts(page));
  },
  withPasskey: async ({ page, atSettings, passkeys }, use) => {
    await use(async () => {
      const authenticator = await Authenticator.of(page);
      await atSettings(users.several);
      await authenticator.touch();
      await passkeys.add();
      await authenticator.touch(false);
      return authenticator;
    });
  },
});

const signInOptions = 'POST /auth/v1/passkeys/sign-in/options';

/** The ids of the user's passkeys at the service, sorted. */
async function listed(page: Page, environment: LocalEnvironment): Promise<readonly string[]> {
  const { token } = await sessionBearer(new FamilyCookies(page.context(), environment));
  const { body } = await environment.request('api', {
    method: 'GET',
    path: '/auth/v1/passkeys',
    headers: { authorization: `Bearer ${token}` },
  });
  return (JSON.parse(body) as { readonly passkeys: readonly { readonly id: string }[] }).passkeys
    .map(({ id }) => id)
    .sort();
}

/** Lets the browser wait for the user for two seconds, not for the ten minutes of the service. From the next page on. */
const hasten = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const parse = PublicKeyCredential.parseRequestOptionsFromJSON.bind(PublicKeyCredential);
    PublicKeyCredential.parseRequestOptionsFromJSON = (options) => parse({ ...options, timeout: 2000 });
  });
};

const signOut = async (page: Page): Promise<void> => {
  await new AccountSettingsPage(page).logoutButton.click();
  await expect(new LoginPage(page).username).toBeVisible();
};

test.describe('A passkey', () => {
  test('is added, named, signs in from the list of the field, and is removed', async ({
    page,
    environment,
    atSettings,
    login,
    passkeys,
  }) => {
    const { section } = passkeys;
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await expect(passkeys.none).toBeVisible();
    await authenticator.touch();
    await passkeys.add();
    await expect(section.getByText('Never used')).toBeVisible();
    await section.getByRole('button', { name: 'Rename' }).click();
    await section.getByLabel('Name', { exact: true }).fill('Work laptop');
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(passkeys.row('Work laptop')).toBeVisible();
    // The focus goes back to where the field was opened.
    await expect(section.getByRole('button', { name: 'Rename' })).toBeFocused();
    expect(await authenticator.ids()).toEqual(await listed(page, environment));

    await authenticator.touch(false);
    await signOut(page);
    await expect(login.username).toHaveAttribute('autocomplete', 'username webauthn');
    // No key is pressed. A touch counts for later requests.
    await authenticator.touch();
    await page.reload();
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(passkeys.row('Work laptop').getByText(/^Last used /)).toBeVisible();

    await passkeys.row('Work laptop').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Passkey', exact: true }).click();
    await expect(page).toHaveURL(/\/ask-password\/remove-passkey$/);
    await passkeys.use.click();
    await expect(passkeys.none).toBeVisible();
    expect(await listed(page, environment)).toEqual([]);
    await expect.poll(() => authenticator.ids()).toEqual([]);
  });

  test('that was added or removed leads to the offer to end other sessions, above the sections', async ({
    page,
    environment,
    passkeys,
    withPasskey,
  }) => {
    test.skip(!offers('sessions'), 'The offer is of another extension.');
    const other = await environment.tokensFor(users.several, password);
    const authenticator = await withPasskey();
    const offer = page.getByText(signedInElsewhere);
    await expect(offer).toBeVisible();
    await authenticator.touch();
    await passkeys.rows.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Passkey', exact: true }).click();
    await expect(offer).toBeHidden();
    await passkeys.use.click();
    await expect(passkeys.none).toBeVisible();
    await expect(offer).toBeVisible();
    const [above, first] = [await offer.boundingBox(), await new TwoStepSetup(page).section.boundingBox()];
    expect((above?.y ?? 0) < (first?.y ?? 0)).toBe(true);

    await endOthersButton(page).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out Everywhere Else' }).click();
    await expect(offer).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    const { status } = await environment.request('api', {
      method: 'POST',
      path: '/auth/v1/refresh',
      body: { refresh: other.refresh },
    });
    expect(status).toBe(401);
  });

  test(
    'signs in by button, passes the second step, and fails when the user is not verified',
    { tag: '@long' },
    async ({ page, login, codes, environment, passkeys }) => {
      await environment.account(
        accountOf(users.several, { mfa: { type: 'mfa', secret: 'KVKFKRCPNZQUYMLX' } }),
      );
      const authenticator = await Authenticator.of(page, { transport: 'usb' });
      await login.open();
      // The button is shown to everyone, with or without a passkey.
      await login.enterUsername(users.googleOnly);
      await expect(passkeys.signIn).toBeVisible();
      await login.open();
      await login.signInAs(users.several, password);
      await codes.expectAtSignIn();
      await authenticator.touch();
      // There is none yet.
      await passkeys.use.click();
      await expect(passkeys.use).toBeEnabled();
      await expect(passkeys.dialog).toBeHidden();
      await authenticator.touch(false);

      await page.context().addCookies(await environment.signInAs(users.several));
      await page.goto('/account-settings');
      await authenticator.touch();
      await passkeys.add();
      await authenticator.touch(false);
      await signOut(page);
      await login.signInAs(users.several, password);
      await codes.expectAtSignIn();
      await authenticator.touch();
      await passkeys.use.click();
      await expect(page).toHaveURL(/\/account-settings$/);

      await authenticator.touch(false);
      await signOut(page);
      await login.enterUsername(users.several);
      await authenticator.verifies(false);
      await authenticator.touch();
      await passkeys.signIn.click();
      await expect(passkeys.signIn).toBeEnabled();
      await expect(login.password).toBeVisible();
      await authenticator.verifies(true);
      await passkeys.signIn.click();
      await expect(page).toHaveURL(/\/account-settings$/);
      expect(await authenticator.ids()).toEqual(await listed(page, environment));
    },
  );

  test(
    'that is not confirmed in time ends the request without a message, and the password signs in',
    { tag: '@long' },
    async ({ page, login, environment, passkeys, withPasskey }) => {
      const authenticator = await withPasskey();
      await signOut(page);
      await hasten(page);
      await page.reload();
      await login.enterUsername(users.several);
      await passkeys.signIn.click();
      await expect(login.password).not.toBeEditable();
      await expect(passkeys.signIn).toBeEnabled();
      await expect(passkeys.dialog).toBeHidden();
      await login.typePassword(password);
      await login.signIn();
      await expect(page).toHaveURL(/\/account-settings$/);
      expect(await authenticator.ids()).toEqual(await listed(page, environment));
    },
  );

  test(
    'is asked for in two tabs at once: one signs in by button, both go on, and both can ask again',
    { tag: '@long' },
    async ({ page, context, login, environment, passkeys, withPasskey }) => {
      const authenticator = await withPasskey();
      const other = await context.newPage();
      const another = await Authenticator.of(other);
      await authenticator.copyTo(another);
      await signOut(page);
      await hasten(other);
      await other.goto('/login');
      await expect.poll(async () => (await environment.calls(signInOptions)).length).toBe(2);
      await login.enterUsername(users.several);
      await authenticator.touch();
      await passkeys.signIn.click();
      await expectSignedIn(page);
      await expectSignedIn(other);

      await authenticator.touch(false);
      await signOut(other);
      await expect(login.username).toBeVisible();
      await new LoginPage(other).enterUsername(users.several);
      // Waits while the first tab signs in, until its time is over.
      await new PasskeyParts(other).signIn.click();
      await authenticator.touch();
      await page.reload();
      await expectSignedIn(page);
      await expectSignedIn(other);
      await expect(new PasskeyParts(other).dialog).toBeHidden();
      const known = await listed(page, environment);
      expect([await authenticator.ids(), await another.ids()]).toEqual([known, known]);
    },
  );

  test(
    'that was removed in another tab is forgotten by the browser, in every tab',
    { tag: '@long' },
    async ({ page, context, environment, passkeys, withPasskey }) => {
      test.skip(!offers('events'), 'Without events, no tab is told.');
      const authenticator = await withPasskey();
      const other = await context.newPage();
      const another = await Authenticator.of(other);
      await authenticator.copyTo(another);
      await other.goto('/account-settings');
      const there = new PasskeyParts(other);
      // A change is not announced to a stream that opens after it.
      await expect.poll(() => environment.calls('GET /auth/v1/events')).not.toEqual([]);
      await there.section.getByRole('button', { name: 'Remove' }).click();
      await other.getByRole('button', { name: 'Remove Passkey', exact: true }).click();
      await new TwoStepSetup(other).verify();
      await expect(there.none).toBeVisible();
      // The service tells the first tab.
      await expect(passkeys.none).toBeVisible();
      expect(await listed(page, environment)).toEqual([]);
      // A tab signals its list after it has shown it.
      await expect.poll(async () => [await authenticator.ids(), await another.ids()]).toEqual([[], []]);
    },
  );

  test(
    'that is chosen in the field and refused is asked for again only when the message is closed',
    { tag: '@long' },
    async ({ page, environment, pageFaults, login, passkeys, withPasskey }) => {
      pageFaults.allow(failedRequest(503));
      const authenticator = await withPasskey();
      await environment.fail({
        path: '/auth/v1/passkeys/sign-in',
        fault: { kind: 'answer', status: 503, body: {} },
      });
      // It consents without its user.
      await authenticator.touch();
      await signOut(page);
      const tried = async () => (await environment.calls('POST /auth/v1/passkeys/sign-in')).length;
      for (const times of [1, 2]) {
        await expect(passkeys.dialog).toContainText('Unable to sign in with a passkey');
        await expect(passkeys.dialog).toContainText('The service had a problem. Try again in a moment.');
        expect(await tried()).toBe(times);
        if (times === 2) await authenticator.touch(false);
        await passkeys.dialog.getByRole('button', { name: 'Ok' }).click();
      }
      await login.signInAs(users.several, password);
      await expect(page).toHaveURL(/\/account-settings$/);
    },
  );

  for (const way of ['in the field', 'by button'] as const)
    test(
      `that the service no longer knows is refused ${way} with a message, and forgotten by the browser`,
      { tag: '@long' },
      async ({ page, login, environment, pageFaults, passkeys, withPasskey }) => {
        pageFaults.allow(failedRequest(404));
        const authenticator = await withPasskey();
        await signOut(page);
        await login.enterUsername(users.several);
        await expect(passkeys.signIn).toBeVisible();
        const release = await holdRequests(page, /\/passkeys\/sign-in$/);
        const sent = page.waitForRequest(/\/passkeys\/sign-in$/);
        await authenticator.touch();
        await (way === 'by button' ? passkeys.signIn.click() : login.open());
        await sent;
        // The accounts are created again, without passkeys.
        await environment.reset();
        release();
        await expect.poll(() => authenticator.ids()).toEqual([]);
        await expect(passkeys.dialog).toContainText('This passkey is no longer valid. Sign in another way.');
        await passkeys.dialog.getByRole('button', { name: 'Ok' }).click();
        if (way === 'in the field') await login.enterUsername(users.several);
        await login.typePassword(password);
        await login.signIn();
        await expect(passkeys.none).toBeVisible();
        expect(await authenticator.ids()).toEqual(await listed(page, environment));
      },
    );

  test(
    'of a second account is used for that account only',
    { tag: '@long' },
    async ({ page, login, environment, signedInAs, settings, passkeys, withPasskey }) => {
      const authenticator = await withPasskey();
      await signOut(page);
      const second = 'second@payments.example';
      await environment.account(accountOf(second, {}));
      await signedInAs(second);
      await settings.open();
      await authenticator.touch();
      await passkeys.add();
      await authenticator.touch(false);
      const added = await listed(page, environment);
      await signOut(page);
      await login.enterUsername(users.several);
      await authenticator.touch();
      await passkeys.signIn.click();
      await expect(passkeys.section.getByText(/^Last used /)).toBeVisible();
      expect(await authenticator.ids()).toEqual([...added, ...(await listed(page, environment))].sort());
    },
  );

  test('asks for nothing in setup mode', { tag: '@long' }, async ({ page, login, environment, passkeys }) => {
    await Authenticator.of(page);
    await login.open();
    await login.signInAs(users.mustSetUp, password);
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(passkeys.section).toBeHidden();
    expect(await environment.calls('GET /auth/v1/passkeys')).toEqual([]);
  });

  test(
    'signs in within the frame of a parent of the same site',
    { tag: '@long' },
    async ({ page, hub, context, withPasskey }) => {
      const authenticator = await withPasskey();
      await context.clearCookies();
      await hub.open();
      await framedLogin(page).enterUsername(users.several);
      await authenticator.touch();
      const { signIn } = new PasskeyParts(page, frameOf(page));
      await expect(signIn).toBeVisible();
      // A click on a part of the frame that has just grown reaches the parent.
      await untilFitted(page);
      await signIn.click();
      await hub.expectSignedIn('Sam');
    },
  );
});
