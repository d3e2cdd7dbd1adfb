import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { cookieName } from './support/familyCookies';
import { holdRequests } from './support/holdRequests';
import { failedRequest } from './support/pageFaults';
import { users } from './support/users';
import { expect, test } from './support/test';
import type { LocalEnvironment } from './support/environment';

/** The application's scripts. The form is in the page itself. */
const code = /\/assets\/[^/]+\.js$/;
const methodsPath = '/auth/v1/method/';
const late = /could not be loaded completely/;

/** Keeps the code back until it is let through. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  const release = await holdRequests(page, code);
  return async () => {
    release();
    await page.waitForFunction(() => document.querySelector('#late') === null);
    await expect(page.locator('form[data-inline-login]')).toHaveCount(0);
  };
}

const openEarly = async (page: Page, address = '/login') => await page.goto(address, { waitUntil: 'commit' });

const methodCalls = async (environment: LocalEnvironment) =>
  (await environment.calls()).filter(({ path }) => path.startsWith(methodsPath));

test.describe('The first step, before the code is there', () => {
  test('can be filled in, and the code takes it over as it is', async ({ page, login }) => {
    const release = await holdCode(page);
    await openEarly(page);
    await expect(login.username).toBeFocused();
    await expect(login.nextButton).toBeDisabled();
    await page.keyboard.type('da@example');
    await expect(login.nextButton).toBeEnabled();
    await page.keyboard.press('Home');
    await page.keyboard.type('a');
    await login.rememberMe.check();
    await login.rememberMe.focus();
    await login.username.evaluate((field: HTMLInputElement) => {
      Object.assign(window, { field });
      field.setSelectionRange(2, 4);
    });
    await release();

    await expect(login.username).toHaveValue('ada@example');
    await expect(login.rememberMe).toBeChecked();
    await expect(login.rememberMe).toBeFocused();
    await expect(login.nextButton).toBeEnabled();
    expect(
      await login.username.evaluate((field: HTMLInputElement) => ({
        isTheSame: field === (window as unknown as { field: unknown }).field,
        selection: [field.selectionStart, field.selectionEnd],
      })),
    ).toEqual({ isTheSame: true, selection: [2, 4] });
  });

  for (const [how, press] of [
    ['the Enter key', async (page: Page) => await page.keyboard.press('Enter')],
    ['the button', async (page: Page) => await page.getByRole('button', { name: 'Next' }).click()],
  ] as const) {
    test(`keeps Next, pressed by ${how}, and carries it out once`, async ({ page, environment, login }) => {
      const release = await holdCode(page);
      await openEarly(page, '/login?url=%2Fx');
      await expect(login.username).toBeFocused();
      await page.keyboard.type(` ${users.ada}`);
      await press(page);
      await expect(login.nextButton).toHaveAttribute('aria-busy', 'true');
      await page.keyboard.press('Enter');
      await page.keyboard.type('not taken');
      expect(await methodCalls(environment)).toEqual([]);
      expect(new URL(page.url()).search).toBe('?url=%2Fx');
      await release();

      await expect(login.password).toBeVisible();
      await expect(login.backLink(users.ada)).toBeVisible();
      expect(await methodCalls(environment)).toHaveLength(1);
      expect(new URL(page.url()).search).toBe('?url=%2Fx');
    });
  }

  /** Does what a password manager or a page translator does. */
  const changeForm = async (page: Page) =>
    await page.evaluate(() => {
      const added = ['input', 'button', 'div'].map((tag) => document.createElement(tag));
      document.querySelector('input[name=username]')?.after(...added);
      const heading = document.querySelector('#root h1');
      if (heading) heading.textContent = 'Willkommen';
    });

  test('stays as it was filled in where an extension has changed it', async ({ page, login }) => {
    const release = await holdCode(page);
    await openEarly(page);
    await expect(login.username).toBeFocused();
    await page.keyboard.type('ada@example');
    await login.rememberMe.check();
    await login.username.evaluate((field: HTMLInputElement) => {
      field.focus();
      field.setSelectionRange(2, 4);
    });
    await changeForm(page);
    await release();

    await expect(login.rememberMe).toBeChecked();
    await expect(login.nextButton).toBeEnabled();
    await expect(login.username).toBeFocused();
    await page.keyboard.type('X');
    await expect(login.username).toHaveValue('adXexample');
    expect(await page.locator('head title').count()).toBe(1);
  });

  test('carries a pressed Next out once where an extension has changed it', async ({
    page,
    environment,
    login,
  }) => {
    const release = await holdCode(page);
    await openEarly(page);
    await expect(login.username).toBeFocused();
    await page.keyboard.type(users.ada);
    await page.keyboard.press('Enter');
    await expect(login.nextButton).toHaveAttribute('aria-busy', 'true');
    await changeForm(page);
    await release();

    await expect(login.password).toBeVisible();
    await expect(login.backLink(users.ada)).toBeVisible();
    expect(await methodCalls(environment)).toHaveLength(1);
  });

  test('starts with the remembered username, and keeps what the user makes of it', async ({
    page,
    context,
    environment,
    login,
  }) => {
    const value = encodeURIComponent(users.ada);
    await context.addCookies([{ name: cookieName.username, value, url: environment.origin('app') }]);
    const release = await holdCode(page);
    await openEarly(page);
    await expect(login.username).toHaveValue(users.ada);
    await expect(login.rememberMe).toBeChecked();
    await expect(login.nextButton).toBeEnabled();
    await login.rememberMe.uncheck();
    await release();
    await expect(login.rememberMe).not.toBeChecked();
    await expect(login.username).toHaveValue(users.ada);
  });

  test('shows a message when the code never comes, and keeps the form', async ({
    page,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest('net::ERR_FAILED'), failedRequest('ERR_CONNECTION'));
    await page.route(code, async (route) => await route.abort());
    await openEarly(page);
    await expect(login.username).toBeFocused();
    await page.keyboard.type('ada');
    await expect(page.getByRole('alert')).toHaveText(late);
    await expect(login.username).toHaveValue('ada');
    await expect(login.username).toBeEditable();
    await page.unroute(code);
    await page.getByRole('link', { name: 'load it again' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(login.username).toBeVisible();
  });

  test('shows a message after 20 s without the code, and gives a pressed Next back', async ({
    page,
    environment,
    login,
  }) => {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 10_000);
    const release = await holdCode(page);
    await openEarly(page);
    // The timer is set in the task that shows the form. Frames stand still with the clock, and the first one gives the focus.
    await expect(login.username).toBeVisible();
    await page.clock.runFor(100);
    await expect(login.username).toBeFocused();
    await page.keyboard.type(users.ada);
    await page.keyboard.press('Enter');
    await page.clock.runFor(19_899);
    await expect(login.nextButton).toHaveAttribute('aria-busy', 'true');
    await expect(login.nextButton).toBeDisabled();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(page.getByRole('alert')).toHaveText(late);
    await expect(login.nextButton).not.toHaveAttribute('aria-busy');
    await expect(login.nextButton).toBeEnabled();
    await expect(login.username).toBeEditable();
    await page.clock.resume();
    await release();

    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(login.username).toHaveValue(users.ada);
    expect(await methodCalls(environment)).toEqual([]);
    await login.next();
    await expect(login.password).toBeVisible();
    expect(await methodCalls(environment)).toHaveLength(1);
  });
});

/** What the page is opened as, and what its user finds there or does before the code. */
interface Scene {
  readonly role: 'app' | 'suppliers';
  readonly query: string;
  readonly state: 'empty' | 'remembered' | 'pressed';
}

/** How many values of two pictures differ by more than 8 of 255. */
function differences(before: Buffer, after: Buffer): number {
  const [one, other] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  return one.data.filter((value, at) => Math.abs(value - (other.data[at] ?? 0)) > 8).length;
}

/**
 * The busy wheel is a pseudo-element before and an element after: in some runs, Chromium draws 5 or 18 values of its edge, of four
 * million in the picture, in another shade.
 */
const wheelEdge = 40;

const empty: readonly Scene[] = [
  { role: 'app', query: '', state: 'empty' },
  { role: 'app', query: '?supplierHub', state: 'empty' },
  { role: 'app', query: '?application=epay', state: 'empty' },
  { role: 'app', query: '?application=ledger', state: 'empty' },
  { role: 'suppliers', query: '', state: 'empty' },
];
const inEveryState = empty.flatMap((scene) =>
  (['remembered', 'pressed'] as const).map((state): Scene => ({ ...scene, state })),
);

test.describe('The first step looks as it does after the code has taken it over', () => {
  for (const { colorScheme, width, scenes, tag } of [
    { colorScheme: 'light', width: 1280, scenes: [...empty, ...inEveryState.slice(0, 2)], tag: '@long' },
    { colorScheme: 'dark', width: 320, scenes: [...empty, ...inEveryState.slice(0, 2)], tag: '@quick' },
    { colorScheme: 'light', width: 320, scenes: [...empty, ...inEveryState], tag: '@long' },
    { colorScheme: 'dark', width: 1280, scenes: [...empty, ...inEveryState], tag: '@long' },
    { colorScheme: 'light', width: 640, scenes: inEveryState, tag: '@long' },
  ] as const) {
    test(`${colorScheme}, ${String(width)} px`, { tag }, async ({ page, context, environment, login }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      for (const { role, query, state } of scenes) {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.clearCookies();
        const [value, url] = [encodeURIComponent(users.ada), environment.origin(role)];
        if (state === 'remembered') await context.addCookies([{ name: cookieName.username, value, url }]);
        // Without an answer, a Next that was pressed stays busy.
        await page.route(/\/auth\/v1\/method\//, () => undefined);
        const release = await holdCode(page);
        await openEarly(page, `${url}/login${query}`);
        await expect(login.username).toBeFocused();
        if (state === 'pressed') {
          await page.keyboard.type(users.ada);
          await page.keyboard.press('Enter');
          await expect(login.nextButton).toHaveAttribute('aria-busy', 'true');
        }
        const before = await page.screenshot({ animations: 'disabled' });
        const title = await page.title();
        await release();
        if (state === 'pressed') await expect(login.nextButton).toHaveAttribute('aria-busy', 'true');
        const after = await page.screenshot({ animations: 'disabled' });
        const tolerated = state === 'pressed' ? wheelEdge : 0;
        expect(differences(before, after), `${role} ${query} ${state}`).toBeLessThanOrEqual(tolerated);
        expect(await page.title()).toBe(title);
      }
    });
  }
});

test.describe('The first step is never shown', () => {
  const expectNothing = async (page: Page) => {
    await expect(page.locator('#root')).toBeHidden();
    await expect(page.locator('#root form')).toHaveCount(1);
  };

  test('to a user with a session', async ({ page, signedInAs }) => {
    await signedInAs(users.several);
    await holdCode(page);
    await openEarly(page);
    await expectNothing(page);
  });

  test('at other addresses', async ({ page, environment }) => {
    await holdCode(page);
    for (const path of [
      '/',
      '/forgot-password',
      '/account-settings',
      '/redirect/abc',
      '/login/x',
      '/LOGIN',
    ]) {
      await openEarly(page, path);
      await expectNothing(page);
    }
    await openEarly(page, `${environment.origin('shortLinks')}/login`);
    await expectNothing(page);
  });

  test('in a frame, before the code has looked at the parent', async ({ page, environment }) => {
    await holdCode(page);
    await page.goto(`${environment.origin('hub')}/`, { waitUntil: 'commit' });
    const frame = page.frameLocator('iframe');
    await expect(frame.locator('#root form')).toHaveCount(1);
    await expect(frame.locator('#root')).toBeHidden();
  });
});
