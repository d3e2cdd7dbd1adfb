import type { Page } from '@playwright/test';
import { decodeJwt } from 'jose';
import type { CodePage } from './pages/CodePage';
import { LoginPage } from './pages/LoginPage';
import type { TwoStepSetup } from './pages/TwoStepSetup';
import { accountOf } from './support/accountOf';
import { appCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { framedLogin } from './support/framed';
import { failedRequest } from './support/pageFaults';
import { holdRequests } from './support/holdRequests';
import { pauseClock } from './support/pauseClock';
import {
  endOthers,
  endOthersButton,
  expectSignedIn,
  openTabs,
  signedInElsewhere,
  streams,
} from './support/tabs';
import { password, users } from './support/users';
import { offers } from './support/runEnvironment';
import { expect, test } from './support/test';

/** How many tabs and frames of an origin hold the lock of its stream or wait for it. */
const listenersOf = async ([tab]: readonly Page[]) =>
  await tab?.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return [...held, ...pending].filter(({ name = '' }) => name.endsWith('-events')).length;
  });

/** Sets up an app at the settings of a user who is signed in elsewhere too. */
async function setUpApp(page: Page, twoStep: TwoStepSetup, codes: CodePage): Promise<void> {
  await twoStep.begin();
  const key = await twoStep.shownKey();
  await twoStep.continueButton.click();
  await codes.type(appCode(key));
  await expect(page.getByText(signedInElsewhere)).toBeVisible();
}

const notice = 'You were signed out on another device.';
test.describe('A session that another browser ends', () => {
  test.skip(!offers('events'), 'It needs live events.');
  test(
    'ends at once, and ten tabs, one of them a frame, show that without a poll or another timer',
    { tag: '@long' },
    async ({ page, context, environment, cookies, signedInAs, hub, login }) => {
      await context.clock.install();
      const other = await environment.tokensFor(users.several, password);
      await signedInAs(users.several);
      const [here, atSuppliers] = [
        await openTabs(context, 5),
        await openTabs(context, 4, environment.origin('suppliers')),
      ];
      const tabs = [...here, ...atSuppliers];
      await hub.open();
      await hub.expectSignedIn('Sam');
      // Each tab reads the stream of its origin or waits for it. The frame belongs to the origin of the login.
      await expect.poll(() => listenersOf(here)).toBe(6);
      await expect.poll(() => listenersOf(atSuppliers)).toBe(4);
      // The streams of the login host, the supplier host, and the application around the frame.
      await expect.poll(() => streams(environment)).toEqual([200, 200, 200]);
      const [bearer, refresh] = [
        await cookies.read(cookieName.session),
        await cookies.read(cookieName.refresh),
      ];

      await pauseClock(page);
      await endOthers(environment, other.token);
      await Promise.all([
        ...tabs.map((tab) => expect(tab.getByText(notice)).toBeVisible()),
        expect(framedLogin(page).username).toBeVisible(),
      ]);
      await hub.expectNobodySignedIn();
      const refusals = [
        await environment.request('api', {
          method: 'GET',
          path: '/mfa/v1/authy-info',
          headers: { authorization: `Bearer ${bearer ?? ''}` },
        }),
        await environment.request('api', { method: 'POST', path: '/auth/v1/refresh', body: { refresh } }),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([401, 401]);

      const [tab = page] = tabs;
      await tab.getByLabel('Username', { exact: true }).press('a');
      await expect(tab.getByText(notice)).toBeHidden();
      await expect(login.username).toBeHidden();
    },
  );

  test(
    'is shown at the login although no further file of the application can be loaded',
    { tag: '@long' },
    async ({ page, environment, atSettings, login, pageFaults }) => {
      pageFaults.allow(failedRequest('net::ERR_FAILED'));
      const other = await environment.tokensFor(users.several, password);
      await atSettings(users.several);
      await expect.poll(() => streams(environment)).toEqual([200]);
      const files = /\/assets\/.+\.(?:js|css)$/;
      await page.route(files, (route) => route.abort());
      await endOthers(environment, other.token);
      await expect(login.username).toBeVisible();
      await expect(page.getByText(notice)).toBeVisible();
      await page.unroute(files);
      await login.username.press('a');
      await expect(login.username).toHaveValue('a');
      await expect(page.getByText(notice)).toBeHidden();
    },
  );
});

test.describe('A change between the opening of the settings and their stream', () => {
  test.skip(!offers('events'), 'It needs live events.');
  const username = 'wim@payments.example';

  test('is shown by each tab of each host when the streams begin, and without a change nothing is read again', async ({
    context,
    environment,
    signedInAs,
  }) => {
    await environment.account(accountOf(username, {}));
    await signedInAs(username);
    const { uid } = decodeJwt((await environment.tokensFor(username, password)).token);
    const readings = async () =>
      (await environment.calls(`GET /user-management/v1/users/${String(uid)}`)).length;
    const tabs = [
      ...(await openTabs(context, 2)),
      ...(await openTabs(context, 1, environment.origin('suppliers'))),
    ];
    await expect.poll(() => streams(environment)).toEqual([200, 200]);
    await environment.account(accountOf(username, { lastName: 'King' }));
    // The event comes after the version: each tab has read because of the event alone.
    await expect.poll(readings).toBe(6);

    const release = await holdRequests(context, '**/auth/v1/events');
    for (const tab of tabs) {
      await tab.reload();
      await expect(tab.getByRole('button', { name: 'Get Started' })).toBeVisible();
    }
    const mfa = { type: 'mfa', secret: 'KVKFKRCPNZQUYMLX' } as const;
    await environment.account(accountOf(username, { lastName: 'King', mfa }));
    release();
    for (const tab of tabs) await expect(tab.getByRole('button', { name: 'Turn Off' })).toBeVisible();
    expect(await readings()).toBe(12);
  });
});

test.describe('An application that uses the kit', () => {
  test.skip(!offers('events'), 'It needs live events.');

  test('shows in each tab, without a poll or another timer, that another browser has ended the session', async ({
    page,
    context,
    environment,
    signedInAs,
  }) => {
    await context.clock.install();
    const other = await environment.tokensFor(users.several, password);
    await signedInAs(users.several);
    const tabs = [await context.newPage(), await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(environment.origin('ledger'));
      await expect(tab.getByText('Signed in as Sam.')).toBeVisible();
    }
    // No other page has a stream.
    await expect.poll(() => listenersOf(tabs)).toBe(2);
    expect(await streams(environment)).toEqual([200]);

    await pauseClock(page);
    await endOthers(environment, other.token);
    await Promise.all(tabs.map((tab) => expect(tab.getByText('ended-elsewhere')).toBeVisible()));
    for (const tab of tabs) await expect(tab.getByText('Nobody is signed in.')).toBeVisible();
  });
});

test.describe('Devices and activity', () => {
  test.skip(!offers('sessions'), 'They are an extension.');
  test(
    'show other sessions and end them, and each list loads and fails independently',
    { tag: '@long' },
    async ({ page, pageFaults, environment, atSettings }) => {
      pageFaults.allow(failedRequest(500));
      const other = await environment.tokensFor(users.several, password);
      await atSettings(users.several);
      await environment.fail({ path: '/auth/v1/activity', times: 1, fault: { kind: 'delay', ms: 3000 } });
      await environment.fail({
        path: '/auth/v1/trusted-devices',
        times: 1,
        fault: { kind: 'answer', status: 500, body: { error: { message: 'Down', code: 'unexpected' } } },
      });
      const review = page.getByRole('button', { name: 'Review', exact: true });
      await review.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Devices and Activity' })).toBeVisible();
      await expect(page.getByText('This device', { exact: true })).toBeVisible();
      await expect(page.getByText('Loading your recent activity')).toBeAttached();
      await expect(page.getByText('Your trusted devices could not be loaded.')).toBeVisible();
      await page.getByRole('button', { name: 'Try Again', exact: true }).click();
      await expect(page.getByText('Every device asks for your second step.')).toBeVisible();
      await expect(page.getByText('Signed in with a password').first()).toBeVisible();

      await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();
      const { status } = await environment.request('api', {
        method: 'POST',
        path: '/auth/v1/refresh',
        body: { refresh: other.refresh },
      });
      expect(status).toBe(401);
      await expect(page.getByText('Signed out', { exact: true })).toBeVisible();
    },
  );

  test('can be ended after the second step is set up, which signs the other browser out', async ({
    page,
    browser,
    environment,
    atSettings,
    twoStep,
    codes,
  }) => {
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(`${environment.origin('app')}/login`);
    await new LoginPage(other).signInAs(users.several, password);
    await expectSignedIn(other);

    await atSettings(users.several);
    await setUpApp(page, twoStep, codes);
    await page.keyboard.press('Tab');
    await expect(twoStep.done).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(endOthersButton(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText(signedInElsewhere)).toBeHidden();
    await expect(page.getByRole('heading', { name: '2-Step Verification is on' })).toBeFocused();

    await other.reload();
    await expect(new LoginPage(other).username).toBeVisible();
    await elsewhere.close();

    // The only session that is left: nothing is offered.
    const lists = async () => (await environment.calls('GET /auth/v1/sessions')).length;
    await twoStep.done.click();
    const before = await lists();
    await twoStep.turnOff.click();
    await twoStep.turnOffDialog.getByRole('button', { name: 'Turn Off 2-Step', exact: true }).click();
    await twoStep.verify();
    await expect(twoStep.getStarted).toBeVisible();
    await expect.poll(lists).toBe(before + 1);
    await expect(page.getByText(signedInElsewhere)).toBeHidden();
  });

  test('follow another tab and another browser: what has ended is no longer listed or offered', async ({
    page,
    context,
    environment,
    atSettings,
    twoStep,
    codes,
  }) => {
    test.skip(!offers('events'), 'It needs live events.');
    await environment.tokensFor(users.several, password);
    const other = await environment.tokensFor(users.several, password);
    await atSettings(users.several);
    await setUpApp(page, twoStep, codes);

    const tab = await context.newPage();
    await tab.goto('/account-activity');
    const listed = tab.getByRole('button', { name: 'Sign Out', exact: true });
    await expect(listed).toHaveCount(2);
    await environment.request('api', {
      method: 'POST',
      path: '/auth/v1/revoke',
      body: { refresh: other.refresh },
    });
    await expect(listed).toHaveCount(1);
    await expect(page.getByText(signedInElsewhere)).toBeVisible();

    await endOthersButton(tab).click();
    await tab.getByRole('alertdialog').getByRole('button', { name: 'Sign Out Everywhere Else' }).click();
    await expect(listed).toHaveCount(0);
    await expect(page.getByText(signedInElsewhere)).toBeHidden();
    await expect(twoStep.done).toBeVisible();
  });
});
