import { expect, test } from './support/test';
import { accountOf } from './support/accountOf';
import { password } from './support/users';

const username = 'ada.l';
const email = 'ada.lovelace@payments.example';

/** Runs in the page: the name that the form gives to password managers, and whether they and users see its field. */
function namedByForm() {
  const [form] = document.forms;
  const field = form?.querySelector<HTMLInputElement>('input');
  if (!field) throw new Error('There is no form with a field');
  const { x, y, width, height } = field.getBoundingClientRect();
  return {
    name: field.autocomplete === 'username' && field.value,
    // Some managers skip a field of 8 px or less, or outside of the page (KeePassXC).
    forManagers: x >= 0 && y >= 0 && width > 8 && height > 8,
    forUsers: document.elementsFromPoint(x + width / 2, y + height / 2).includes(field),
    fields: form?.querySelectorAll('input').length,
  };
}

test(
  'Every form about one person’s password has the name that signs in, not the e-mail',
  { tag: '@long' },
  async ({ page, environment, login, settings, twoStep, passwords }) => {
    await environment.account(accountOf(username, { email }));
    const named = (fields: number) => ({ name: username, forManagers: true, forUsers: false, fields });

    await login.open();
    await login.enterUsername(username);
    await expect(login.password).toBeFocused();
    expect(await page.evaluate(namedByForm)).toEqual(named(2));
    await login.typePassword(password);
    await login.signIn();
    await settings.expectOpen();

    await settings.main.getByRole('button', { name: 'Change Password', exact: true }).click();
    await expect(twoStep.email).toHaveValue(email);
    await expect(twoStep.password).toBeFocused();
    expect(await page.evaluate(namedByForm)).toEqual(named(2));
    await page.keyboard.press('Shift+Tab');
    await expect(twoStep.email).toBeFocused();
    await twoStep.verify(password);

    await expect(passwords.password).toBeFocused();
    expect(await page.evaluate(namedByForm)).toEqual(named(3));
  },
);
