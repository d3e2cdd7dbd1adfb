import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import fc from 'fast-check';
import { expect, test } from './support/test';
import type { LocalEnvironment } from './support/environment';

/**
 * What happens to a file when it is asked for first: it comes after so many ms, its answer is cut in the middle of its
 * body, or there is no response.
 */
interface Fate {
  readonly how: 'late' | 'cut' | 'lost';
  readonly ms: number;
}

/** The host's answers by file, and after how many bytes of them the connection is reset. */
let breaking: Server;

test.beforeAll(async ({ environment }) => {
  breaking = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '/';
      const { body } = await environment.request('app', { method: 'GET', path });
      response.writeHead(200, {
        'Content-Type': 'text/javascript',
        'Content-Length': Buffer.byteLength(body),
      });
      response.write(body.slice(0, body.length / 2), () => response.socket?.resetAndDestroy());
    })();
  });
  await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve));
});

test.afterAll(() => {
  breaking.close();
});

/**
 * Gives the scripts of the next page their fates, in the order in which they are asked for. Those that the page itself names
 * are late at the most: without them there is only the notice.
 */
async function giveFates(page: Page, environment: LocalEnvironment, fates: readonly Fate[]): Promise<void> {
  const { body } = await environment.request('app', {
    method: 'GET',
    path: '/login',
    headers: { accept: 'text/html' },
  });
  const { port } = breaking.address() as AddressInfo;
  const seen = new Set<string>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const fate = seen.has(pathname) ? undefined : fates[seen.size];
    seen.add(pathname);
    await new Promise((resolve) => setTimeout(resolve, fate?.ms ?? 0));
    if (fate === undefined || fate.how === 'late' || body.includes(pathname)) await route.continue();
    else if (fate.how === 'lost') await route.abort('connectionfailed');
    else await route.continue({ url: `http://127.0.0.1:${String(port)}${pathname}` });
  });
}

/** The calls for login methods; each is answered with a password. */
async function countMethodCalls(page: Page, environment: LocalEnvironment): Promise<() => readonly string[]> {
  const calls: string[] = [];
  await page.route(/\/auth\/v1\/method\//, async (route) => {
    calls.push(decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? ''));
    await route.fulfill({
      json: [{ method: 'basic' }],
      headers: { 'access-control-allow-origin': environment.origin('app') },
    });
  });
  return () => calls;
}

/** What a field holds after these keys, and where its caret is. */
function typed(keys: readonly string[]): { readonly value: string; readonly caret: number } {
  let value = '';
  let caret = 0;
  for (const key of keys) {
    if (key === 'Home') caret = 0;
    else if (key === 'ArrowLeft') caret = Math.max(0, caret - 1);
    else {
      const isRemoval = key === 'Backspace';
      const kept = value.slice(0, isRemoval ? Math.max(0, caret - 1) : caret);
      value = kept + (isRemoval ? '' : key) + value.slice(caret);
      caret = kept.length + (isRemoval ? 0 : 1);
    }
  }
  return { value, caret };
}

const numberOf = { all: 300, long: 12, quick: 3 };
const runs =
  numberOf[process.env['TEST_ALL'] === '1' ? 'all' : process.env['TEST_LONG'] === '1' ? 'long' : 'quick'];

test('Every key arrives and Next is carried out once, whenever and in whatever order the files come', async ({
  page,
  environment,
  login,
  pageFaults,
}) => {
  test.setTimeout(90_000 + runs * 8000);
  pageFaults.allow(/ERR_CONNECTION|ERR_CONTENT_LENGTH|ChunkLoadError|Loading chunk/);
  const key = fc.constantFrom('a', 'b', '.', '@', '1', 'a', 'b', 'Home', 'ArrowLeft', 'Backspace');
  const keys = fc.array(fc.record({ key, pause: fc.integer({ min: 0, max: 90 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  const fate = fc.record({
    how: fc.constantFrom<Fate['how']>('late', 'late', 'cut', 'lost'),
    ms: fc.integer({ min: 0, max: 400 }),
  });
  const fates = fc.array(fate, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(keys, fates, fc.boolean(), async (pressed, given, next) => {
      // A second request of the page of the run before must not be treated as the first request of this one.
      await page.goto('about:blank');
      await page.unrouteAll({ behavior: 'wait' });
      await giveFates(page, environment, given);
      const calls = await countMethodCalls(page, environment);
      await page.goto('/login', { waitUntil: 'commit' });
      await expect(login.username).toBeFocused();
      for (const one of pressed) {
        await page.keyboard.press(one.key);
        await page.waitForTimeout(one.pause);
      }
      const { value, caret } = typed(pressed.map((one) => one.key));
      // Dots alone are no name (`http.ts`).
      const isSent = next && !/^\.{0,2}$/.test(value);
      if (isSent) {
        await page.keyboard.press('Enter');
        await expect(login.password).toBeFocused();
      } else {
        await expect(page.locator('form[data-inline-login]')).toHaveCount(0);
        await expect(login.username).toHaveValue(value);
        await expect(login.username).toBeFocused();
        expect(await login.username.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(caret);
        await expect(login.nextButton).toBeEnabled({ enabled: value !== '' });
      }
      expect(calls()).toEqual(isSent ? [value] : []);
    }),
    { numRuns: runs, endOnFailure: true },
  );
});
