import { cookieName } from './support/familyCookies';
import { framedLogin, frameOf, recordMessages, sharesChannels, untilFitted } from './support/framed';
import { failedRequest } from './support/pageFaults';
import { password, users, tokenCall } from './support/users';
import { servePage } from './support/servePage';
import { expect, test } from './support/test';

test.describe('In the frame of a listed parent', () => {
  test('a sign-in stays in the frame, confirms it, and notifies the parent', async ({
    page,
    environment,
    hub,
  }) => {
    const received = await recordMessages(page);
    await hub.open();
    await hub.expectNobodySignedIn();
    const login = framedLogin(page);
    await expect(login.header.getByText('Supplier Hub', { exact: true })).toBeVisible();
    await expect(login.username).toBeVisible();
    await expect(login.username).not.toBeFocused();
    await login.signInAs(users.ada, password);

    const frame = frameOf(page);
    await expect(frame.getByText('You are signed in', { exact: true })).toBeVisible();
    await hub.expectSignedIn('Ada');
    // The frame is as tall as its content: nothing scrolls, and no room is left over.
    const heights = () =>
      frame
        .locator('#root')
        .evaluate((root) => [Math.ceil(root.getBoundingClientRect().height), innerHeight]);
    await expect.poll(async () => new Set(await heights()).size).toBe(1);
    expect((await heights())[1]).toBeLessThan(600);
    expect(await received()).toEqual([
      { data: 'removed_tokens', origin: environment.origin('app') },
      { data: 'new_tokens', origin: environment.origin('app') },
    ]);
    expect(await frame.locator('body').evaluate(() => location.href)).toBe(
      `${environment.origin('app')}/login?supplierHub=true&resize=1`,
    );
    await expect(login.username).toBeHidden();
    await expect(frame.getByRole('button', { name: 'Back', exact: true })).toBeHidden();
    expect(await environment.bodies(tokenCall)).toEqual([{ username: users.ada, method: 'basic', password }]);
  });

  test(
    'a sign-in in another tab is adopted, and the parent is notified',
    { tag: '@long' },
    async ({ page, environment, hub, cookies, signedInAs }) => {
      // Left over from an ended session.
      await cookies.leave(cookieName.refresh, 'orphan');
      const received = await recordMessages(page);
      await hub.open();
      await expect(framedLogin(page).username).toBeVisible();
      expect(await cookies.names()).toEqual([]);
      await signedInAs(users.several);

      await expect(frameOf(page).getByText('You are signed in', { exact: true })).toBeVisible();
      await hub.expectSignedIn('Sam');
      expect(await received()).toEqual([
        { data: 'removed_tokens', origin: environment.origin('app') },
        { data: 'new_tokens', origin: environment.origin('app') },
      ]);
    },
  );
});

test.describe('In the frame of a listed parent whose host sends no headers', () => {
  test(
    'the page of a mailed link shows only an explanation',
    { tag: '@long' },
    async ({ page, environment, hub, signedInAs }) => {
      await servePage(page, environment, {
        headers: { 'content-security-policy': '', 'x-frame-options': '' },
      });
      await signedInAs(users.ada);
      await hub.open();
      const frame = frameOf(page);
      await expect(frame.getByText('You are signed in', { exact: true })).toBeVisible();
      for (const path of ['/security-notice/h-1', '/redirect/h-1', '/unauthorized']) {
        await page.locator('iframe').evaluate(
          (element, address) => {
            (element as HTMLIFrameElement).src = address;
          },
          environment.origin('app') + path,
        );
        await expect(
          frame.getByText('This page cannot be shown inside another site.', { exact: true }),
        ).toBeVisible();
        await expect(frame.getByRole('button')).toHaveCount(0);
        await expect(frame.getByRole('link')).toHaveCount(0);
        // The next address shows the same text.
        await frame.locator('body').evaluate((body) => {
          body.textContent = '';
        });
      }
      expect(await environment.calls()).toEqual([]);
    },
  );
});

test.describe('In the frame of an unlisted parent', () => {
  test('the browser blocks the page', async ({ page, environment, pageFaults }) => {
    pageFaults.allow(/frame-ancestors/);
    const received = await recordMessages(page);
    await page.goto(`${environment.origin('unlisted')}/`);

    await expect(page.locator('iframe')).toBeVisible();
    await expect(frameOf(page).getByRole('textbox')).toHaveCount(0);
    expect(await received()).toEqual([]);
    expect(await environment.calls()).toEqual([]);
  });

  test(
    'the page shows only an explanation, even if the host does not send its headers',
    { tag: '@long' },
    async ({ page, environment, signedInAs }) => {
      await servePage(page, environment, { headers: { 'content-security-policy': '' } });
      await signedInAs(users.ada);
      const received = await recordMessages(page);
      await page.goto(`${environment.origin('unlisted')}/`);

      const frame = frameOf(page);
      await expect(
        frame.getByText('This page cannot be shown inside another site.', { exact: true }),
      ).toBeVisible();
      await expect(frame.getByRole('textbox')).toHaveCount(0);
      await expect(frame.getByRole('button')).toHaveCount(0);
      await expect(frame.getByRole('link')).toHaveCount(0);
      expect(await received()).toEqual([]);
      expect(await page.locator('iframe').getAttribute('style')).toBeNull();
    },
  );
});

test.describe('In the frame of a same-site parent', () => {
  test(
    'a provider that severs its window signs in, and the frame confirms it',
    { tag: '@long' },
    async ({ page, environment, hub, openProvider, providerTraffic, pageFaults }) => {
      await environment.provider({ provider: 'google', openerPolicy: 'same-origin' });
      await hub.open();
      // The page that posts on the channel is one that does not exist.
      pageFaults.allow(failedRequest(404));
      const hears = await sharesChannels(page, environment.origin('app'));
      test.skip(
        !hears,
        'the browser keeps the channels of a frame apart, also under a parent of the same site',
      );
      const login = framedLogin(page);
      await login.enterUsername(users.allMethods);
      await expect(login.google).toBeVisible();
      await untilFitted(page);
      const window = await openProvider(() => login.google.click());
      await window.finish();

      await expect(frameOf(page).getByText('You are signed in', { exact: true })).toBeVisible();
      await window.expectClosed();
      await hub.expectSignedIn('Alma');
      expect(await environment.bodies(tokenCall)).toEqual([
        expect.objectContaining({
          username: users.allMethods,
          method: 'google',
          code: providerTraffic.code(),
        }),
      ]);
    },
  );
});
