import type { Page, Route } from '@playwright/test';
import fc from 'fast-check';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { users } from './support/users';
import { expect, test } from './support/test';
import type { World } from './support/world';

/** The application's first file. The form is in the page itself. */
const code = /\/assets\/main\.[0-9a-f]+\.js$/;
const methodsPath = '/auth/v1/method/';
const late = /could not be loaded completely/;

/** Keeps the code back until it is let through. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(code, async (route: Route) => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.waitForFunction(() => document.querySelector('#late') === null);
    await expect(page.locator('form[data-door]')).toHaveCount(0);
  };
}

const openEarly = async (page: Page, address = '/login') => await page.goto(address, { waitUntil: 'commit' });

const methodCalls = async (world: World) =>
  (await world.calls()).filter(({ path }) => path.startsWith(methodsPath));

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
    test(`keeps Next, pressed by ${how}, and carries it out once`, async ({ page, world, login }) => {
      const release = await holdCode(page);
      await openEarly(page, '/login?url=%2Fx');
      await expect(login.username).toBeFocused();
      await page.keyboard.type(` ${users.ada}`);
      await press(page);
      await expect(login.nextButton).toHaveAttribute('aria-busy', 'true');
      await page.keyboard.press('Enter');
      await page.keyboard.type('not taken');
      expect(await methodCalls(world)).toEqual([]);
      expect(new URL(page.url()).search).toBe('?url=%2Fx');
      await release();

      await expect(login.password).toBeVisible();
      await expect(login.backLink(users.ada)).toBeVisible();
      expect(await methodCalls(world)).toHaveLength(1);
      expect(new URL(page.url()).search).toBe('?url=%2Fx');
    });
  }

  test('starts with the remembered username, and keeps what the user makes of it', async ({
    page,
    context,
    world,
    login,
  }) => {
    const value = encodeURIComponent(users.ada);
    await context.addCookies([{ name: cookieName.username, value, url: world.origin('app') }]);
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

  test('says so when the code never comes, and keeps the form', async ({ page, login, pageFaults }) => {
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

  test('keeps every letter, whenever it is typed', async ({ page, login }) => {
    test.slow();
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '@', '1'), minLength: 1, maxLength: 12 });
    const pause = fc.integer({ min: 0, max: 120 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(pause, { minLength: 12, maxLength: 12 }),
        pause,
        async (typed, pauses, delay) => {
          await page.unrouteAll();
          await page.route(code, async (route) => {
            await new Promise((resolve) => setTimeout(resolve, delay * 3));
            await route.continue();
          });
          await openEarly(page);
          await expect(login.username).toBeFocused();
          for (const [index, key] of Array.from(typed).entries())
            await page.keyboard.type(key, { delay: pauses[index] ?? 0 });
          await page.waitForLoadState('networkidle');
          await expect(login.username).toHaveValue(typed);
          await expect(login.nextButton).toBeEnabled();
        },
      ),
      { numRuns: process.env['TEST_ALL'] === '1' ? 300 : 6 },
    );
  });

  const looks = ['', '?supplierHub', '?application=epay', '?application=ledger'];
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`looks as it does afterwards, in every look and width, ${colorScheme}`, async ({ page, login }) => {
      await page.emulateMedia({ colorScheme });
      for (const look of looks) {
        for (const width of [320, 1280]) {
          await page.unrouteAll();
          await page.setViewportSize({ width, height: 800 });
          const release = await holdCode(page);
          await openEarly(page, `/login${look}`);
          await expect(login.username).toBeFocused();
          const before = await page.screenshot({ animations: 'disabled' });
          const title = await page.title();
          await release();
          const after = await page.screenshot({ animations: 'disabled' });
          expect(after.equals(before), `${look} ${String(width)}`).toBe(true);
          expect(await page.title()).toBe(title);
        }
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

  test('at other addresses', async ({ page, world }) => {
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
    await openEarly(page, `${world.origin('shortLinks')}/login`);
    await expectNothing(page);
  });

  test('in a frame, before the code has looked at the parent', async ({ page, world }) => {
    await holdCode(page);
    await page.goto(`${world.origin('hub')}/`, { waitUntil: 'commit' });
    const frame = page.frameLocator('iframe');
    await expect(frame.locator('#root form')).toHaveCount(1);
    await expect(frame.locator('#root')).toBeHidden();
  });
});
