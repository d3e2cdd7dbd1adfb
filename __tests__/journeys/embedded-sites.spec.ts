import type { HostRole } from '@vestibule/local';
import { framedLogin, frameOf, hearsKeys, isKeptApart, recordMessages, untilFitted } from './support/framed';
import { password, users } from './support/users';
import { expect, test } from './support/test';

test.use({ sameSite: 'None', serviceSettings: { accessTokenSeconds: 12 } });

/** Why a journey is skipped. */
const overHttp = 'the browser keeps no Secure cookie of a page over http';
const pressesNothing = 'the driver presses nothing in a frame of another site';
const keptApart =
  'the browser keeps a frame of another site apart, also where its user allows third-party cookies';

for (const userSetting of ['third-party cookies', null] as const) {
  const isAllowed = userSetting !== null;
  test.describe(`With third-party cookies ${isAllowed ? 'allowed' : 'refused'}`, () => {
    test.use({ userSetting });

    const works: readonly HostRole[] = isAllowed ? ['hub', 'partner'] : ['hub'];
    test.beforeEach(async ({ page, cookies }, { title }) => {
      // `SameSite=None` goes with `Secure` only.
      if (title.includes('can sign in')) test.skip(!(await cookies.areKeptIfSecure(page)), overHttp);
    });

    for (const parent of works) {
      test(
        `a frame in ${parent} can sign in with a password, refresh and sign out`,
        { tag: '@long' },
        async ({ page, context, environment }) => {
          const received = await recordMessages(page);
          const messagesOf = (...words: readonly string[]) =>
            words.map((data) => ({ data, origin: environment.origin('app') }));
          await page.goto(`${environment.origin(parent)}/`);
          test.skip(parent === 'partner' && (await isKeptApart(page)), keptApart);
          test.skip(!(await hearsKeys(framedLogin(page).username)), pressesNothing);
          await framedLogin(page).signInAs(users.ada, password);
          const signedIn = frameOf(page).getByText('You are signed in', { exact: true });
          await expect(signedIn).toBeVisible();
          await expect.poll(received).toEqual(messagesOf('removed_tokens', 'new_tokens', 'new_tokens'));

          const otherTab = await context.newPage();
          await otherTab.goto(`${environment.origin('app')}/account-settings`);
          await otherTab.getByRole('button', { name: 'Logout', exact: true }).click();
          await expect(framedLogin(page).username).toBeVisible();
          await expect(signedIn).toBeHidden();
          expect((await received()).at(-1)).toEqual(messagesOf('removed_tokens')[0]);
        },
      );

      test(
        `a frame in ${parent} can sign in with a provider`,
        { tag: '@long' },
        async ({ page, environment, openProvider }) => {
          const received = await recordMessages(page);
          await page.goto(`${environment.origin(parent)}/`);
          test.skip(parent === 'partner' && (await isKeptApart(page)), keptApart);
          const login = framedLogin(page);
          test.skip(!(await hearsKeys(login.username)), pressesNothing);
          await login.enterUsername(users.allMethods);
          await expect(login.google).toBeVisible();
          await untilFitted(page);
          const window = await openProvider(() => login.google.click());
          await window.finish();
          await expect(frameOf(page).getByText('You are signed in', { exact: true })).toBeVisible();
          await window.expectClosed();
          expect((await received())[1]).toEqual({ data: 'new_tokens', origin: environment.origin('app') });
        },
      );
    }
  });
}
