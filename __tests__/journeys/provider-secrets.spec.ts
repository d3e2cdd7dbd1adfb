import * as v from 'valibot';
import { users, tokenCall } from './support/users';
import { withSeveralApplications } from './support/providerUsers';
import { carriersOf, hearConsoles, holding, tracesOf, tracesOfCookies } from './support/secretTraces';
import { expect, test } from './support/test';

const proofSchema = v.object({ code: v.string(), codeVerifier: v.string() });

test.describe('Code and verifier', () => {
  test(
    'leave no trace after a sign-in, and are sent only where needed',
    { tag: '@long' },
    async ({ context, page, environment, login, settings, openProvider, providerTraffic }) => {
      const consoles = hearConsoles(context);
      await environment.account(withSeveralApplications(environment, users.allMethods));
      await login.open();
      await login.enterUsername(users.allMethods);
      const window = await openProvider(() => login.microsoft.click());
      await window.finish();
      await settings.expectOpen();
      await window.expectClosed();

      const { code, codeVerifier } = v.parse(proofSchema, (await environment.bodies(tokenCall))[0]);
      const traces = {
        ...(await tracesOf(page)),
        ...(await tracesOfCookies(context)),
        console: consoles(),
      };
      expect(holding(traces, code)).toEqual([]);
      expect(holding(traces, codeVerifier)).toEqual([]);
      const call = `POST ${environment.origin('api')}/auth/v1/token in the body`;
      expect(carriersOf(providerTraffic, codeVerifier)).toEqual([call]);
      expect(carriersOf(providerTraffic, code)).toEqual([
        `GET ${environment.origin('app')}/oauth-redirect in the address`,
        call,
      ]);
    },
  );

  test(
    'leave no trace in a window without an opener, from the start',
    { tag: '@long' },
    async ({ context, page, environment, login, openProvider, providerTraffic }) => {
      const consoles = hearConsoles(context);
      await login.open();
      const window = await openProvider(() => login.enterUsername(users.microsoftOnly));
      await window.signIn();
      await expect(window.allowButton).toBeVisible();
      await page.goto('about:blank');
      await window.allow();
      await expect(window.page.getByRole('heading', { name: 'Signing you in' })).toBeVisible();

      const code = providerTraffic.code();
      const state = providerTraffic.authorization('microsoft').searchParams.get('state') ?? '';
      const traces = {
        ...(await tracesOf(window.page)),
        ...(await tracesOfCookies(context)),
        console: consoles(),
      };
      expect(traces.address).toBe(`${environment.origin('app')}/oauth-redirect`);
      expect(holding(traces, code)).toEqual([]);
      // The provider's own address contained the state before.
      expect(holding({ ...traces, history: lastEntry(traces.history) }, state)).toEqual([]);
      expect(carriersOf(providerTraffic, code)).toEqual([
        `GET ${environment.origin('app')}/oauth-redirect in the address`,
      ]);
      expect(await environment.calls(tokenCall)).toEqual([]);
    },
  );
});

/** The addresses of the window. */
function lastEntry(history: string): string {
  return JSON.stringify(v.parse(v.array(v.unknown()), JSON.parse(history)).at(-1) ?? null);
}
