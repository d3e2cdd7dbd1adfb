/** @jest-environment node */
import { logoutRequested } from '@features/session';
import { accessToken, answers, methods, severalPersonas, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle, signInWithPassword } from '../../support/openApp';
import { putSetup, setupCookie } from '../../support/sessionCookies';
import { storedRefresh, openSignedIn, put, session, start } from './refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const framed = (path = '/account-settings') => fakeDeps({ path, embedding: 'trusted' });
const dropSession = ({ cookies }: Pick<FakeDeps, 'cookies'>) =>
  [session, `${session}-refresh`].forEach(cookies.remove);

describe('the parent of a frame is sent new_tokens', () => {
  it('when another tab has refreshed, once for each token', async () => {
    const { deps } = openSignedIn({}, framed());
    await pass(400_000);
    put(deps, tokenPair());
    await pass(20_000);
    expect(deps.parentFrame.messages).toEqual(['new_tokens']);
    put(deps, tokenPair());
    await pass(20_000);
    expect(deps.parentFrame.messages).toEqual(['new_tokens', 'new_tokens']);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('after a sign-in in another tab', async () => {
    const deps = framed('/login');
    openApp(deps);
    await pass(7000);
    put(deps, tokenPair());
    await pass(20_000);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens', 'new_tokens']);
  });

  it('when a set-up in this frame ends with a sign-in in another tab', async () => {
    const deps = framed('/mfa-options');
    putSetup(deps);
    openApp(deps);
    await settle();
    deps.cookies.remove(setupCookie);
    put(deps, tokenPair({ personas: severalPersonas }));
    await pass(20_000);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens', 'new_tokens']);
  });
});

describe('the parent of a frame is sent removed_tokens once', () => {
  it.each(['/login', '/account-settings', '/no/such/page'])('when %s opens with no session', async (path) => {
    const deps = framed(path);
    openApp(deps);
    await pass(20_000);
    deps.navigation.visit('/mfa-options');
    deps.navigation.visit('/account-settings');
    await pass(20_000);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
  });

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['was removed in another tab', dropSession],
    ['lost only its session cookie', ({ cookies }) => cookies.remove(session)],
    ['became malformed', ({ cookies }) => void cookies.write(session, 'garbage')],
    ['is set by another host, and cannot be removed', ({ cookies }) => cookies.toss(session, 'garbage')],
    ['was replaced with an expired one', (deps) => put(deps, tokenPair({ lifeSeconds: -1 }))],
  ])('when the session %s', async (_name, change) => {
    const { deps } = openSignedIn({}, framed());
    await pass(1000);
    change(deps);
    await pass(20_000);
    deps.navigation.visit('/mfa-options');
    deps.navigation.visit('/account-settings');
    await pass(20_000);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(storedRefresh(deps)).toBe('');
    expect(deps.navigation.address()).toBe('/login');
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('when it opens for a set-up, and not again when that expires', async () => {
    const deps = framed('/mfa-options');
    putSetup(deps, accessToken({ isMfaSetup: true, lifeSeconds: 60 }));
    openApp(deps);
    await pass(80_000);
    expect(deps.navigation.address()).toBe('/login');
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
  });

  it('for every session that ends', async () => {
    const deps = framed('/login');
    deps.api.auth.methods.mockResolvedValue([methods.basic]);
    deps.api.auth.token.mockImplementation(() => Promise.resolve(answers.session()));
    const app = openApp(deps);
    for (const _time of [1, 2]) {
      await signInWithPassword(app);
      await app.send(logoutRequested());
    }
    expect(deps.parentFrame.messages).toEqual([
      'removed_tokens',
      'new_tokens',
      'removed_tokens',
      'new_tokens',
      'removed_tokens',
    ]);
  });
});
