import { isDriven } from './support/engine';
import { textedCode, wrongCode } from './support/codes';
import { holdRequests } from './support/holdRequests';
import { failedRequest } from './support/pageFaults';
import { expect, test } from './support/test';
import { translatePages } from './support/translatePages';
import { password, users } from './support/users';

const newPassword = 'Harbour-gate8';

for (const start of ['before the code', 'after the code'] as const) {
  test.describe(`A page that the browser translates ${start} is there`, () => {
    test.beforeEach(async ({ context, pageFaults }) => {
      pageFaults.allow(failedRequest(401));
      await translatePages(context, start);
    });

    test(
      'keeps what was typed, and signs in by password after a refused one',
      { tag: '@engines' },
      async ({ page, login, settings }) => {
        // WebDriver acts on no page that is still loading.
        const release = isDriven ? () => undefined : await holdRequests(page, /\/assets\/[^/]+\.js$/);
        await page.goto('/login', { waitUntil: 'commit' });
        await expect(login.username).toBeFocused();
        await page.keyboard.type(users.several);
        await login.rememberMe.check();
        release();
        await expect(page.locator('#late')).toHaveCount(0);
        await expect(page.locator('h1 font font')).toHaveText('Welcome');
        await expect(login.username).toHaveValue(users.several);
        await expect(login.rememberMe).toBeChecked();
        await login.next();

        await expect(page.locator('h1 font font')).toHaveText('Enter your password');
        await login.typePassword(`${password}x`);
        await login.signIn();
        await expect(login.errorDialog.locator('h2 font font')).toHaveText('Login Error');
        await login.closeLoginError();
        await login.showPassword.click();
        await login.typePassword(password);
        await login.signIn();
        await settings.expectOpen();
        await expect(page.locator('h1 font font')).toHaveText('Account Settings');
        await settings.logoutButton.click();
        await expect(login.username).toHaveValue(users.several);
      },
    );

    test(
      'accepts the code of a second message after a wrong one',
      { tag: ['@long', '@engines'] },
      async ({ environment, codes, ledger, atChallenge }) => {
        await atChallenge(users.textMessage);
        const phone = (await environment.outbox())[0]?.to ?? '';
        await codes.type(wrongCode(await textedCode(environment, phone)));
        await codes.submitButton.click();
        await codes.expectWrongCode();
        await codes.closeWrongCode();
        await expect(codes.code).toHaveValue('');
        await codes.resendButton.click();
        await expect(codes.sentLine).toBeVisible();
        await codes.type(await textedCode(environment, phone, 2));
        await codes.submitButton.click();
        await ledger.expectSignedIn('Tess');
      },
    );

    test(
      'opens links: to an application, to an API key, and to a new password',
      { tag: ['@long', '@engines'] },
      async ({ page, environment, passwords }) => {
        const { url } = await environment.link({ kind: 'magic', username: users.ada, application: 'ledger' });
        await page.goto(url);
        await expect(page).toHaveURL(new RegExp(`^${environment.origin('ledger')}/`));

        const invitation = await environment.link({ kind: 'api-invitation', name: 'Nightly export' });
        await page.goto(invitation.url);
        for (const label of ['API key', 'API secret']) {
          const box = page.getByRole('button', { name: new RegExp(`^${label}`) });
          await expect(box.locator('code')).toHaveText(/^[\w-]{16,}$/);
          await box.click();
          await expect(page.getByRole('status').filter({ hasText: /copied|selected/ })).toBeVisible();
        }

        const reset = await environment.link({ kind: 'reset', username: users.ada });
        await page.goto(reset.url);
        await passwords.save('Set New Password', 'short');
        await expect(page.getByText('no spaces', { exact: true })).toBeVisible();
        await expect(passwords.password).toHaveValue('short');
        await passwords.save('Set New Password', newPassword);
        await expect(page).toHaveURL(/\/login$/);
      },
    );

    test(
      'sets up text messages, with a wrong code first',
      { tag: ['@long', '@engines'] },
      async ({ page, environment, login, settings, twoStep, codes }) => {
        await login.open();
        await login.signInAs(users.mustSetUp, password);
        await settings.expectOpen();
        await twoStep.getStarted.click();
        await twoStep.textMessage.click();
        await twoStep.sendPhone('12');
        await expect(twoStep.phone).toHaveAttribute('aria-invalid', 'true');
        await twoStep.sendPhone('+44 7700 900148');
        const code = await textedCode(environment, '+447700900148');
        await codes.type(wrongCode(code));
        await codes.expectWrongCode();
        await codes.closeWrongCode();
        await expect(codes.code).not.toHaveAttribute('aria-invalid');
        await codes.type(code);
        await expect(page.getByText('Your phone number ends in 0148.', { exact: true })).toBeVisible();
      },
    );
  });
}
