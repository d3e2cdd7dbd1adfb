import type { Page } from '@playwright/test';
import type { LocalEnvironment } from '../support/environment';
import { failedRequest } from '../support/pageFaults';
import { offers } from '../support/runEnvironment';
import { expect, test } from '../support/test';
import { password, users } from '../support/users';

/** The code challenge of RFC 7636, appendix B. */
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** A request of an application that asks for consent: that of others, unless it says otherwise. */
const consentRequest = (environment: LocalEnvironment, client = 'partner-portal'): string =>
  `${environment.origin('api')}/oidc/auth?${new URLSearchParams({
    client_id: client,
    response_type: 'code',
    redirect_uri: `${environment.origin('partner')}/`,
    scope: 'openid profile email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'of-the-portal',
  }).toString()}`;

const title = (page: Page, name: string) =>
  page.getByRole('heading', { name: `Continue to ${name}`, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The answers that reached the service. */
const answers = async (environment: LocalEnvironment) =>
  (await environment.calls()).filter(
    ({ method, path }) => method === 'POST' && path.startsWith('/auth/v1/openid/requests/'),
  );

test.describe('Another application', () => {
  test.skip(!offers('openid'), 'It is an extension.');

  test('signs in by OpenID Connect without the kit, with its login_hint, and signs out', async ({
    page,
    environment,
    login,
  }) => {
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in?login_hint=${encodeURIComponent(users.ada)}`);
    await expect(page).toHaveURL(/\/login\?/);
    await expect(login.username).toHaveValue(users.ada);
    await expect(login.rememberMe).not.toBeChecked();
    await login.next();
    await login.typePassword(password);
    await login.signIn();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as Ada')).toBeVisible();

    // With the session of the family, no page is shown.
    await page.goto(`${reports}/sign-in?prompt=none`);
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as Ada')).toBeVisible();

    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByText('Nobody is signed in.')).toBeVisible();
  });

  test('that wants a fresh proof gets it by verify identity, and the page goes on by itself', async ({
    page,
    environment,
    signedInAs,
  }) => {
    await signedInAs(users.ada);
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in?prompt=login`);
    await expect(title(page, 'Reports')).toBeVisible();
    await expect(page.getByText(`Signed in as ${users.ada}.`)).toBeVisible();
    await expect(page.getByRole('list')).toHaveCount(0);
    await button(page, 'Continue').click();
    await expect(page).toHaveURL(/\/ask-password\/continue$/);
    expect(await answers(environment)).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button(page, 'Next').click();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as Ada')).toBeVisible();
    expect(await answers(environment)).toHaveLength(1);
  });

  test('of others receives what the user agrees to, once asked, or an error', async ({
    page,
    environment,
    signedInAs,
  }) => {
    await signedInAs(users.ada);
    await page.goto(consentRequest(environment));
    await expect(title(page, 'Partner Portal')).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Partner Portal will see:' }).getByRole('listitem'),
    ).toHaveText(['Your name', 'Your e-mail address']);
    await button(page, 'Cancel').click();
    await expect(page).toHaveURL(/partner\.localhost.*[?&]error=access_denied/);

    await page.goto(consentRequest(environment));
    await button(page, 'Continue').click();
    await expect(page).toHaveURL(/partner\.localhost.*[?&]code=/);
    expect(new URL(page.url()).searchParams.get('state')).toBe('of-the-portal');

    await page.goto(consentRequest(environment));
    await expect(page).toHaveURL(/partner\.localhost.*[?&]code=/);
    expect(await answers(environment)).toHaveLength(2);
  });

  test('without a secret asks each time if other programs can claim its address', async ({
    page,
    environment,
    signedInAs,
  }) => {
    await signedInAs(users.ada);
    for (let time = 0; time < 2; time++) {
      await page.goto(consentRequest(environment, 'console'));
      await expect(title(page, 'Console')).toBeVisible();
      await button(page, 'Continue').click();
      await expect(page).toHaveURL(/partner\.localhost.*[?&]code=/);
    }
  });

  test('is entered with another account after a sign-out, which leads back', async ({
    page,
    environment,
    login,
    signedInAs,
  }) => {
    await signedInAs(users.ada);
    await page.goto(consentRequest(environment));
    await page.getByRole('link', { name: 'Use Another Account' }).click();
    await expect(page).toHaveURL(/\/login\?url=%2Fcontinue%2F/);
    await login.signInAs(users.several, password);
    await expect(title(page, 'Partner Portal')).toBeVisible();
    await expect(page.getByText(`Signed in as ${users.several}.`)).toBeVisible();
    await button(page, 'Continue').click();
    await expect(page).toHaveURL(/partner\.localhost.*[?&]code=/);
  });

  test('is listed as connected, and after Disconnect it has to be entered again, without a password', async ({
    page,
    environment,
    signedInAs,
  }) => {
    test.skip(!offers('sessions'), 'Its list is there.');
    await signedInAs(users.ada);
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in`);
    await expect(page.getByText('Signed in as Ada')).toBeVisible();

    await page.goto('/account-activity');
    const applications = page.getByRole('region', { name: 'Connected applications', exact: true });
    await expect(applications.getByRole('listitem')).toContainText(
      'It sees: Your name · Your e-mail address',
    );
    await expect(applications.getByRole('link', { name: 'Reports' })).toHaveAttribute('href', `${reports}/`);
    const disconnect = applications.getByRole('button', { name: 'Disconnect Reports', exact: true });
    await disconnect.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog', { name: 'Disconnect Reports' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(disconnect).toBeFocused();
    await page.keyboard.press('Enter');
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Disconnect', exact: true })
      .press('Enter');
    await expect(applications.getByRole('status')).toHaveText('Reports is disconnected.');
    await expect(applications.getByText('No applications are connected.')).toBeVisible();
    await expect(applications.getByRole('heading')).toBeFocused();
    await expect(
      page.getByRole('region', { name: 'Recent activity' }).getByText('Application disconnected'),
    ).toBeVisible();

    await page.goto(`${reports}/`);
    await expect(page.getByText('Nobody is signed in.')).toBeVisible();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as Ada')).toBeVisible();
  });

  test('is not entered by an unknown request, and the page is never framed', async ({
    page,
    pageFaults,
    signedInAs,
  }) => {
    await signedInAs(users.ada);
    pageFaults.allow(failedRequest(404));
    const response = await page.goto('/continue/unknown');
    expect(response?.headers()['x-frame-options']).toBe('DENY');
    await expect(page.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
  });
});
