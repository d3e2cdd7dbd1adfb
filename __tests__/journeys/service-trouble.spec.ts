import type { Route } from '@playwright/test';
import { failedRequest } from './support/pageFaults';
import { password, users, tokenCall } from './support/users';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';

/** Would run if it were ever treated as HTML: through the image's handler, or as a script. */
const markup = `<img src="x" onerror="window.__ran=1"><script>window.__ran=1</script>`;

/** Longer than the timeout of any call, ms. */
const patienceMs = 16_000;

type Answer = NonNullable<Parameters<Route['fulfill']>[0]>;

const refusal = (status: number, message: string): Answer => ({ status, json: { error: { message } } });
/** As from a proxy: without a message of the service. */
const portal = (status: number): Answer => ({
  status,
  contentType: 'text/html',
  body: `<!doctype html><title>Gateway</title><h1>Gateway</h1>${markup}`,
});

/** Ways to fail of the service, or of a proxy in its place, and what the page then says. */
const faultsOf = (
  tokens: object,
): readonly (readonly [what: string, answer: Answer | 'nothing' | 'reset', says: string])[] => [
  ['no response', 'nothing', noMatch],
  ['a connection that breaks', 'reset', noMatch],
  ...[400, 401, 403, 408].map((status) => {
    const says = `Refused, ${String(status)}.`;
    return [String(status), refusal(status, says), says] as const;
  }),
  [
    '429 with a long delay',
    { ...refusal(429, 'Too many attempts.'), headers: { 'Retry-After': '86400' } },
    'Too many attempts.',
  ],
  ['404 of a proxy', portal(404), noMatch],
  ['500 of a proxy', portal(500), noMatch],
  ['HTML with status 200', portal(200), noMatch],
  ['an empty answer', { contentType: 'application/json', body: '' }, noMatch],
  ['wrong types', { json: { token: 7, refresh: ['r'], mfaRequired: 'yes' } }, noMatch],
  // Valid apart from its length: reading it to the end would accept it.
  [
    'megabytes',
    { contentType: 'application/json', body: JSON.stringify(tokens) + ' '.repeat(2_000_000) },
    noMatch,
  ],
  ['markup in the message', refusal(400, markup), markup],
];

test(
  'However the sign-in fails at the service, the page shows one error as text, and can be used again',
  { tag: '@long' },
  async ({ page, environment, cookies, login, ledger, pageFaults }) => {
    pageFaults.allow(failedRequest(''));
    await page.clock.install();
    const cors = { 'Access-Control-Allow-Origin': environment.origin('app') };
    const tokens = await environment.tokensFor(users.ada, password);
    await login.open();
    await login.enterUsername(users.ada);
    for (const [what, answer, says] of faultsOf(tokens)) {
      await test.step(what, async () => {
        let calls = 0;
        await page.route('**/auth/v1/token', async (route) => {
          calls += 1;
          if (answer === 'reset') await route.abort('connectionreset');
          else if (answer !== 'nothing')
            await route.fulfill({ ...answer, headers: { ...answer.headers, ...cors } });
        });
        await login.typePassword(password);
        await expect(login.signInButton).toBeEnabled();
        await pressMouse(login.signInButton, 2);
        await expect.poll(() => calls, { message: 'the call is made' }).toBe(1);
        if (answer === 'nothing') await page.clock.fastForward(patienceMs);

        await login.expectLoginError(says);
        await expect(login.errorDialog.locator('img, script')).toHaveCount(0);
        expect(await page.evaluate(() => '__ran' in window), 'the answer ran').toBe(false);
        await login.closeLoginError();
        expect(await cookies.names()).toEqual([]);
        expect(calls, 'calls for two presses').toBe(1);
        await page.unroute('**/auth/v1/token');
      });
    }
    expect(await environment.calls(tokenCall)).toEqual([]);
    await login.typePassword(password);
    await login.signIn();
    await ledger.expectSignedIn('Ada');
  },
);
