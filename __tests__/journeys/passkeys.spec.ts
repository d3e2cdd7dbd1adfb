import type { Page } from '@playwright/test';
import { engine } from './engines/engine';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { TwoStepSetup } from './pages/TwoStepSetup';
import { accountOf } from './support/accountOf';
import { Authenticator } from './support/authenticator';
import { sessionBearer } from './support/bearers';
import { FamilyCookies } from './support/familyCookies';
import { framedLogin } from './support/framed';
import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test } from './support/test';
import type { LocalEnvironment } from './support/environment';

test.skip(engine !== 'chromium', 'Only Chromium has virtual authenticators');

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys', exact: true });
const row = (page: Page, name: string | RegExp) =>
  section(page).getByRole('listitem').filter({ hasText: name });
const signInButton = (page: Page) =>
  page.getByRole('button', { name: 'Sign in with a Passkey', exact: true });
const useButton = (page: Page) => page.getByRole('button', { name: 'Use a Passkey', exact: true });
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Passkey Error', exact: true });

/** 'Add a Passkey', with the password as proof. */
async function add(page: Page): Promise<void> {
  const before = await section(page).getByRole('listitem').count();
  await section(page).getByRole('button', { name: 'Add a Passkey' }).click();
  await new TwoStepSetup(page).verify();
  await expect(section(page).getByRole('listitem')).toHaveCount(before + 1);
}

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
  }) => {
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await expect(section(page).getByText('You have no passkeys.')).toBeVisible();
    await authenticator.touch();
    await add(page);
    await expect(section(page).getByText('Never used')).toBeVisible();
    await section(page).getByRole('button', { name: 'Rename' }).click();
    await section(page).getByLabel('Name', { exact: true }).fill('Work laptop');
    await section(page).getByRole('button', { name: 'Save' }).click();
    await expect(row(page, 'Work laptop')).toBeVisible();
    // The focus goes back to where the field was opened.
    await expect(section(page).getByRole('button', { name: 'Rename' })).toBeFocused();
    expect(await authenticator.ids()).toEqual(await listed(page, environment));

    await authenticator.touch(false);
    await signOut(page);
    await expect(login.username).toHaveAttribute('autocomplete', 'username webauthn');
    // No key is pressed. A touch counts for later requests.
    await authenticator.touch();
    await page.reload();
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(row(page, 'Work laptop').getByText(/^Last used /)).toBeVisible();

    await row(page, 'Work laptop').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Passkey', exact: true }).click();
    await expect(page).toHaveURL(/\/ask-password\/remove-passkey$/);
    await useButton(page).click();
    await expect(section(page).getByText('You have no passkeys.')).toBeVisible();
    expect([await listed(page, environment), await authenticator.ids()]).toEqual([[], []]);
  });

  test('signs in by button, passes the second step, and fails when the user is not verified', async ({
    page,
    login,
    codes,
    environment,
  }) => {
    await environment.account(accountOf(users.several, { mfa: { type: 'mfa', secret: 'KVKFKRCPNZQUYMLX' } }));
    const authenticator = await Authenticator.of(page, { transport: 'usb' });
    await login.open();
    // The button is shown to everyone, with or without a passkey.
    await login.enterUsername(users.googleOnly);
    await expect(signInButton(page)).toBeVisible();
    await login.open();
    await login.signInAs(users.several, password);
    await codes.expectAtSignIn();
    await authenticator.touch();
    // There is none yet.
    await useButton(page).click();
    await expect(useButton(page)).toBeEnabled();
    await expect(dialog(page)).toBeHidden();
    await authenticator.touch(false);

    await page.context().addCookies(await environment.signInAs(users.several));
    await page.goto('/account-settings');
    await authenticator.touch();
    await add(page);
    await authenticator.touch(false);
    await signOut(page);
    await login.signInAs(users.several, password);
    await codes.expectAtSignIn();
    await authenticator.touch();
    await useButton(page).click();
    await expect(page).toHaveURL(/\/account-settings$/);

    await authenticator.touch(false);
    await signOut(page);
    await login.enterUsername(users.several);
    await authenticator.verifies(false);
    await authenticator.touch();
    await signInButton(page).click();
    await expect(signInButton(page)).toBeEnabled();
    await expect(login.password).toBeVisible();
    await authenticator.verifies(true);
    await signInButton(page).click();
    await expect(page).toHaveURL(/\/account-settings$/);
    expect(await authenticator.ids()).toEqual(await listed(page, environment));
  });

  test('that was removed in another tab is forgotten by the browser, in every tab', async ({
    page,
    context,
    atSettings,
    environment,
  }) => {
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await authenticator.touch();
    await add(page);
    await authenticator.touch(false);
    const other = await context.newPage();
    const another = await Authenticator.of(other);
    await authenticator.copyTo(another);
    await other.goto('/account-settings');
    await section(other).getByRole('button', { name: 'Remove' }).click();
    await other.getByRole('button', { name: 'Remove Passkey', exact: true }).click();
    await new TwoStepSetup(other).verify();
    await expect(section(other).getByText('You have no passkeys.')).toBeVisible();
    // The service tells the first tab.
    await expect(section(page).getByText('You have no passkeys.')).toBeVisible();
    expect(await listed(page, environment)).toEqual([]);
    expect([await authenticator.ids(), await another.ids()]).toEqual([[], []]);
  });

  test('that the service no longer knows is refused with a message, and forgotten', async ({
    page,
    login,
    atSettings,
    environment,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(404));
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await authenticator.touch();
    await add(page);
    await authenticator.touch(false);
    await signOut(page);
    // The accounts are created again, without passkeys.
    await environment.reset();
    await login.open();
    await login.enterUsername(users.several);
    await expect(signInButton(page)).toBeVisible();
    await authenticator.touch();
    await login.open();
    await expect.poll(() => authenticator.ids()).toEqual([]);
    await expect(dialog(page)).toBeHidden();
    await login.signInAs(users.several, password);
    await expect(page).toHaveURL(/\/account-settings$/);
  });

  test('of a second account is used for that account only', async ({
    page,
    login,
    atSettings,
    environment,
    signedInAs,
    settings,
  }) => {
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await authenticator.touch();
    await add(page);
    await authenticator.touch(false);
    await signOut(page);
    const second = 'second@payments.example';
    await environment.account(accountOf(second, {}));
    await signedInAs(second);
    await settings.open();
    await authenticator.touch();
    await add(page);
    await authenticator.touch(false);
    expect(await authenticator.ids()).toHaveLength(2);
    await signOut(page);
    await login.enterUsername(users.several);
    await authenticator.touch();
    await signInButton(page).click();
    await expect(section(page).getByText(/^Last used /)).toBeVisible();
    expect(await authenticator.ids()).toEqual(expect.arrayContaining([...(await listed(page, environment))]));
  });

  test('asks for nothing in setup mode', async ({ page, login, environment }) => {
    await Authenticator.of(page);
    await login.open();
    await login.signInAs(users.mustSetUp, password);
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(section(page)).toBeHidden();
    expect(await environment.calls('GET /auth/v1/passkeys')).toEqual([]);
  });

  test('signs in within the frame of a parent of the same site', async ({
    page,
    hub,
    atSettings,
    context,
  }) => {
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await authenticator.touch();
    await add(page);
    await authenticator.touch(false);
    await context.clearCookies();
    await hub.open();
    const login = framedLogin(page);
    await login.enterUsername(users.several);
    await authenticator.touch();
    await page.frameLocator('iframe').getByRole('button', { name: 'Sign in with a Passkey' }).click();
    await hub.expectSignedIn('Sam');
  });
});
