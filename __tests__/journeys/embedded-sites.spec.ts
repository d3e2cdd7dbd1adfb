import type { HostRole } from '../../local/hosts';
import { framedLogin, frameOf, hearsKeys, recordMessages } from './support/framed';
import { password, users } from './support/users';
import { expect, test as base } from './support/test';
import { opensProfiles } from './engines/engine';
import { openProfile } from './support/userBrowser';

/** Settings of a user, or of a company's policy, in Chromium. */
const settings = ['allowed', 'refused'] as const;

const test = base.extend<{ readonly thirdPartyCookies: (typeof settings)[number] }>({
  thirdPartyCookies: ['refused', { option: true }],
  context: async ({ context, thirdPartyCookies, baseURL }, use) => {
    if (thirdPartyCookies === 'refused') {
      await use(context);
      return;
    }
    test.skip(!opensProfiles, 'the setting that allows third-party cookies is one of Chromium');
    const profile = await openProfile({ baseURL: baseURL ?? '', thirdPartyCookies: true });
    await use(profile.context);
    await profile.close();
  },
});

test.use({ sameSite: 'None', serviceSettings: { accessTokenSeconds: 12 } });

const apart = 'Your browser keeps this page apart from the site around it, so a sign-in cannot be kept here.';

for (const thirdPartyCookies of settings) {
  test.describe(`With third-party cookies ${thirdPartyCookies}`, () => {
    test.use({ thirdPartyCookies });

    const works: readonly HostRole[] = thirdPartyCookies === 'allowed' ? ['hub', 'partner'] : ['hub'];
    for (const parent of works) {
      test(
        `a frame in ${parent} can sign in with a password, refresh and sign out`,
        { tag: '@long' },
        async ({ page, context, world }) => {
          const received = await recordMessages(page);
          const messagesOf = (...words: readonly string[]) =>
            words.map((data) => ({ data, origin: world.origin('app') }));
          await page.goto(`${world.origin(parent)}/`);
          await framedLogin(page).signInAs(users.ada, password);
          const signedIn = frameOf(page).getByText('You are signed in', { exact: true });
          await expect(signedIn).toBeVisible();
          await expect.poll(received).toEqual(messagesOf('removed_tokens', 'new_tokens', 'new_tokens'));

          const beside = await context.newPage();
          await beside.goto(`${world.origin('app')}/account-settings`);
          await beside.getByRole('button', { name: 'Logout', exact: true }).click();
          await expect(framedLogin(page).username).toBeVisible();
          await expect(signedIn).toBeHidden();
          expect((await received()).at(-1)).toEqual(messagesOf('removed_tokens')[0]);
        },
      );

      test(
        `a frame in ${parent} can sign in with a provider`,
        { tag: '@long' },
        async ({ page, world, openProvider }) => {
          const received = await recordMessages(page);
          await page.goto(`${world.origin(parent)}/`);
          const login = framedLogin(page);
          await login.enterUsername(users.allMethods);
          const window = await openProvider(() => login.google.click());
          await window.finish();
          await expect(frameOf(page).getByText('You are signed in', { exact: true })).toBeVisible();
          await window.expectClosed();
          expect((await received())[1]).toEqual({ data: 'new_tokens', origin: world.origin('app') });
        },
      );
    }

    test(
      'a frame in an unlisted parent sends and shows nothing',
      { tag: '@long' },
      async ({ page, world, pageFaults }) => {
        pageFaults.allow(/frame-ancestors/);
        const received = await recordMessages(page);
        await page.goto(`${world.origin('unlisted')}/`);
        await expect(frameOf(page).getByRole('textbox')).toHaveCount(0);
        await expect(frameOf(page).getByRole('button')).toHaveCount(0);
        expect(await received()).toEqual([]);
      },
    );
  });
}

test.describe('A frame with partitioned storage', () => {
  test('shows an explanation instead of a form', async ({ page, world }) => {
    const received = await recordMessages(page);
    await page.goto(`${world.origin('partner')}/`);
    await expect(frameOf(page).getByText(apart, { exact: true })).toBeVisible();
    await expect(frameOf(page).getByRole('textbox')).toHaveCount(0);
    expect(await received()).toEqual([{ data: 'removed_tokens', origin: world.origin('app') }]);
    expect(await world.calls()).toEqual([]);
  });

  test('opens the page in a window of its own', async ({ page, world, context }) => {
    await page.goto(`${world.origin('partner')}/`);
    const link = frameOf(page).getByRole('link', { name: 'Open the Sign-In Page', exact: true });
    await expect(link).toBeVisible();
    test.skip(!(await hearsKeys(link)), 'the driver presses nothing in a frame of another site');
    const [own] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await expect(own).toHaveURL(new RegExp(`^${world.origin('app')}/login`));
    expect(await own.evaluate(() => window.opener === null)).toBe(true);
    await expect(own.getByLabel('Username', { exact: true })).toBeVisible();
  });
});
