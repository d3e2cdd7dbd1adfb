/** @jest-environment node */
/** Tests auth.saga. */
import { accessToken, hosts, onePersona, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle, type OpenApp } from '../../support/openApp';
import { expectSignedOut, storedRefresh, openSignedIn, put, start } from './refresh/openSignedIn';
import { putSetup } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: start }));

const none = { personas: {} };
const words = 'create relation in db';

/** Cleared as at the end of every session, and reported to the user, the parent and the log. */
const expectNotKept = (app: OpenApp) => {
  expectSignedOut(app.deps);
  expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  expect(app.deps.parentFrame.messages).toEqual(['removed_tokens']);
  expect(app.dialog()).toMatchObject({ title: 'Login Error', message: words });
  expect(app.deps.log.errors).toEqual([{ event: 'session refused', error: new Error(words) }]);
};
const framed = () => fakeDeps({ path: '/account-settings', embedding: 'trusted' });

describe('a session ends if its new token has no personas', () => {
  it('when it was refreshed', async () => {
    const { app, deps, tokens } = openSignedIn({}, framed());
    const before = storedRefresh(deps);
    const written: string[] = [];
    deps.api.auth.refresh.mockImplementation(() => {
      written.push(storedRefresh(deps));
      return Promise.resolve(tokenPair(none));
    });
    await pass(455_000);
    expect(deps.api.auth.refresh.mock.calls).toEqual([[tokens.refresh]]);
    expect(written).toEqual([before]);
    expectNotKept(app);
  });

  it.each<readonly [string, (deps: FakeDeps) => Promise<void>]>([
    ['was adopted from another tab or application', async () => await pass(5000)],
    [
      'is found at a navigation, before the next poll',
      async ({ navigation }) => {
        navigation.visit('/mfa-options');
        await settle();
      },
    ],
  ])('when it %s', async (_name, step) => {
    const { app, deps } = openSignedIn({}, framed());
    await settle();
    put(deps, tokenPair(none));
    await step(deps);
    expectNotKept(app);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('when a page is opened with it', async () => {
    const deps = framed();
    put(deps, tokenPair(none));
    const app = openApp(deps);
    await settle();
    expectNotKept(app);
  });

  it('when it appears while /login is open: the form stays', async () => {
    const app = openApp(fakeDeps());
    put(app.deps, tokenPair(none));
    await pass(10_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.signIn().phase).toBe('username');
  });
});

it('a setup token needs no personas', async () => {
  const deps = fakeDeps({ path: '/account-settings' });
  putSetup(deps, accessToken({ ...none, isMfaSetup: true }));
  deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
  const app = openApp(deps);
  await pass(5000);
  expect(app.state().session.access.phase).toBe('setup');
});

it('a user who loses one of several applications keeps the session', async () => {
  const { app, deps } = openSignedIn({ personas: { ...onePersona, hub: [{ applicationUrl: hosts.hub }] } });
  deps.api.auth.refresh.mockResolvedValue(tokenPair({ personas: onePersona }));
  await pass(455_000);
  expect(app.state().session.access.phase).toBe('active');
});
