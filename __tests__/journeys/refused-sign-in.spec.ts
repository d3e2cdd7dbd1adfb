import { failedRequest } from './support/pageFaults';
import { password, users, tokenCall } from './support/users';
import { expect, test } from './support/test';

const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';

test.describe('A rejected sign-in', () => {
  test('with a wrong password shows an error and can be retried', async ({
    page,
    environment,
    cookies,
    login,
    ledger,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(401));
    await login.open();
    await login.signInAs(users.ada, 'Wrong-door7');

    await login.expectLoginError(noMatch);
    await expect(login.errorDialog.getByRole('button', { name: 'Ok', exact: true })).toBeFocused();
    expect(await cookies.names()).toEqual([]);
    await login.closeLoginError();
    await expect(login.password).toHaveValue('');
    await expect(login.password).toBeFocused();
    await expect(page).toHaveURL(`${environment.origin('app')}/login`);

    // The caret is back in the field, too.
    await page.keyboard.type(password);
    await login.signIn();
    await ledger.expectSignedIn('Ada');
    expect(await environment.bodies(tokenCall)).toEqual([
      { username: users.ada, method: 'basic', password: 'Wrong-door7' },
      { username: users.ada, method: 'basic', password },
    ]);
  });
});
