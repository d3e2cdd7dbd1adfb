import { allowRedirect } from '@features/session';
import { featuresOf } from '@app/features';
import { act, screen } from '@testing-library/react';
import { hosts, testConfig } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, settle, signInWithPassword } from '../../support/openApp';
import { renderApp } from '../../support/renderApp';
import { arrangeSignIn } from '../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const service = 'http://api.payments.localhost:4000';

describe('a redirect to the provider of the service', () => {
  const rulesWith = (extensions: readonly string[], serviceUrl = service) => {
    const config = testConfig({ extensions, serviceUrl, redirectHosts: ['ledger.payments.localhost:4000'] });
    return { config, features: featuresOf(config) };
  };
  const rules = rulesWith(['openid']);

  it.each([
    `${service}/oidc/auth/Jc3_-x`,
    `${service}/oidc/auth?client_id=grafana&redirect_uri=https%3A%2F%2Fg.example%2F..%2Fx&state=a//b`,
    `${service}/oidc/session/end/confirm#x`,
  ])('is allowed with the extension only: %s', (target) => {
    expect(allowRedirect(target, rules)).toBe(target);
    expect(allowRedirect(target, rulesWith([]))).toBeNull();
  });

  it('is allowed below a service that has a path of its own', () => {
    const own = rulesWith(['openid'], `${service}/sign-on`);
    expect(allowRedirect(`${service}/sign-on/oidc/auth`, own)).toBe(`${service}/sign-on/oidc/auth`);
    expect(allowRedirect(`${service}/oidc/auth`, own)).toBeNull();
  });

  it.each([
    ['the service itself', `${service}/`],
    ['one of its calls', `${service}/auth/v1/token`],
    ['the folder alone', `${service}/oidc/`],
    ['the folder without a slash', `${service}/oidc`],
    ['a folder that begins alike', `${service}/oidc.evil/auth`],
    ['another case', `${service}/OIDC/auth`],
    ['dot segments', `${service}/oidc/../auth/v1/token`],
    ['dot segments at the end', `${service}/oidc/auth/../..`],
    ['encoded dots', `${service}/oidc/%2e%2E/auth/v1/token`],
    ['one encoded dot', `${service}/oidc/.%2e/auth/v1/token`],
    ['dots encoded twice', `${service}/oidc/%252e%252e/auth/v1/token`],
    ['an encoded slash', `${service}/oidc/..%2fauth/v1/token`],
    ['an encoded back-slash', `${service}/oidc/..%5cauth/v1/token`],
    ['a back-slash', `${service}/oidc\\..\\auth`],
    ['dots with a parameter', `${service}/oidc/..;/auth/v1/token`],
    ['an empty segment', `${service}/oidc//evil.test/`],
    ['an empty segment before it', `${service}//oidc/auth`],
    ['an address without a scheme', '//api.payments.localhost:4000/oidc/auth'],
    ['a scheme without slashes', 'http:api.payments.localhost:4000/oidc/auth'],
    ['another port', 'http://api.payments.localhost:4001/oidc/auth'],
    ['no port', 'http://api.payments.localhost/oidc/auth'],
    ['another scheme', 'https://api.payments.localhost:4000/oidc/auth'],
    ['user information', 'http://ada@api.payments.localhost:4000/oidc/auth'],
    ['the host as user information', `${service}@evil.test/oidc/auth`],
    ['the host as a prefix', 'http://api.payments.localhost.evil.test:4000/oidc/auth'],
    ['a trailing dot', 'http://api.payments.localhost.:4000/oidc/auth'],
    ['the address as a query', `http://evil.test/?${service}/oidc/auth`],
    ['a control character', `${service}/oidc/au\tth`],
  ])('%s is not: %s', (_what, target) => {
    expect(allowRedirect(target, rules)).toBeNull();
  });

  it('follows a sign-in', async () => {
    const to = `${service}/oidc/auth/q-1`;
    const deps = fakeDeps({
      path: `/login?url=${encodeURIComponent(to)}`,
      config: { extensions: ['openid'], redirectHosts: [] },
    });
    arrangeSignIn(deps.api);
    const app = openApp(deps);
    await settle();
    await signInWithPassword(app);
    expect(deps.navigation.leaves).toEqual([to]);
  });
});

describe('login_hint', () => {
  const open = async (
    query: string,
    arrange: (deps: FakeDeps) => void = () => undefined,
    isOffered = true,
  ) => {
    const deps = fakeDeps({
      path: `/login${query}`,
      config: { extensions: isOffered ? ['openid'] : [] },
    });
    arrangeSignIn(deps.api);
    arrange(deps);
    const app = openApp(deps);
    await settle();
    await renderApp(app);
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Username' });
    return { app, deps, field, box: screen.getByRole('checkbox', { name: 'Remember Me' }) };
  };
  const hint = '?login_hint=%20grace%40example.com&url=%2Fmfa-options';

  it('fills the field, and changes nothing else', async () => {
    const { app, deps, field, box } = await open(hint);
    expect(field).toHaveValue('grace@example.com');
    expect(box).not.toBeChecked();
    expect(screen.getByRole('button', { name: 'Next' })).toBeEnabled();
    expect(deps.api.auth.methods).not.toHaveBeenCalled();
    await act(() => signInWithPassword(app, { username: 'grace@example.com' }));
    expect(deps.navigation.leaves).toEqual([`${hosts.login}/mfa-options`]);
    expect(deps.cookies.contents()).not.toHaveProperty('payments-test-username');
  });

  it('does not replace a remembered username', async () => {
    const { field, box } = await open(
      hint,
      ({ cookies, clock }) => void cookies.write('payments-test-username', 'ada', clock.now() + 1e9),
    );
    expect(field).toHaveValue('ada');
    expect(box).toBeChecked();
  });

  it.each([
    ['without the extension', hint, false],
    ['where it is empty', '?login_hint=%20', true],
    ['where there is none', '', true],
  ])('%s the field is empty', async (_when, query, isOffered) => {
    const { field, box } = await open(query, undefined, isOffered);
    expect(field).toHaveValue('');
    expect(box).not.toBeChecked();
  });
});
