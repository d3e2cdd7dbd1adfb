import { PasskeyParts } from './PasskeyParts';
import { offers } from '../support/runEnvironment';
import { password, users } from '../support/users';
import { expect, test } from '../support/test';

test.skip(!offers('passkeys'), 'It is an extension.');

/** Firefox and WebKit have no virtual authenticators: what they can is asked of them. */
test('A browser offers passkeys as far as it has them, and the password signs in as without them', async ({
  page,
  login,
  settings,
  environment,
}) => {
  const passkeys = new PasskeyParts(page);
  const asked = async () => (await environment.calls('POST /auth/v1/passkeys/sign-in/options')).length;
  await login.open();
  await expect(login.username).toHaveAttribute('autocomplete', 'username webauthn');
  const { has, lists } = await page.evaluate(async () => {
    const api = (window as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }).PublicKeyCredential;
    const capabilities = await api?.getClientCapabilities?.();
    return { has: api !== undefined, lists: capabilities?.['conditionalGet'] === true };
  }, null);
  if (lists) await expect.poll(asked).toBe(1);
  await login.enterUsername(users.several);
  await expect(passkeys.signIn).toBeVisible();
  expect(await asked()).toBe(lists ? 1 : 0);
  if (!has) {
    await passkeys.signIn.click();
    await expect(passkeys.dialog.getByText('Unable to sign in with a passkey')).toBeVisible();
    await passkeys.dialog.getByRole('button', { name: 'Ok', exact: true }).click();
  }
  await login.typePassword(password);
  await login.signIn();
  await settings.expectOpen();
  await expect(passkeys.none).toBeVisible();
});
