/** @jest-environment node */
import { rootReducer } from '@app/rootReducer';
import { wakeUps } from '@features/session/refresh/nextPoll.saga';
import { setupPolling } from '@features/session/refresh/setupPolling.saga';
import { sessionEnded, sessionRestored, setupStarted } from '@features/session/session.slice';
import { call } from '@shared/sagas/call.saga';
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { expectSaga } from 'redux-saga-test-plan';
import { accessToken, severalPersonas, tokenPair, userAttributes } from '../../../support/builders';
import { fakeBrowser, fakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { putSetup, setupCookie } from '../../../support/sessionCookies';
import { claimsIn, put, start } from './openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const setupToken = (uid = 'u_1') => accessToken({ uid, isMfaSetup: true, lifeSeconds: 600 });
const open = (deps = fakeDeps({ path: '/mfa-options', embedding: 'trusted' })) => {
  putSetup(deps, setupToken());
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  return openApp(deps);
};

/** Polls in setup mode for this long, ms. */
function polling(ms: number) {
  const deps = fakeDeps({ path: '/mfa-options', embedding: 'trusted' });
  const token = setupToken();
  putSetup(deps, token);
  const claims = claimsIn(token);
  const saga = expectSaga(function* () {
    yield* withChannel(wakeUps(deps), (events) => call(setupPolling, deps, events, claims));
  }).withReducer(rootReducer, rootReducer(undefined, setupStarted(claims)));
  const result = async () => {
    const running = saga.silentRun(ms);
    await pass(ms);
    return await running;
  };
  return { deps, saga, result };
}

const later = (ms: number, work: () => unknown) => void setTimeout(work, ms);

describe('a poll of setup mode', () => {
  it('dispatches nothing and calls nothing while nothing changes', async () => {
    const { deps, result } = polling(500_000);
    const { effects } = await result();
    expect(effects.put).toBeUndefined();
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('ends it when its token expires: cookie and secrets removed, parent notified', async () => {
    const { deps, saga, result } = polling(605_000);
    deps.vault.put('authenticatorKey', { code: 'KEY', url: 'otpauth://totp/x' });
    const held: number[] = [];
    later(599_000, () => held.push(deps.cookies.readAll(setupCookie).length));
    saga.put(sessionEnded({ reason: 'expired' }));
    await result();
    expect(held).toEqual([1]);
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(deps.vault.get('authenticatorKey')).toBeUndefined();
  });

  it('ends it when the service rejects its token', async () => {
    const { deps, saga, result } = polling(0);
    saga.dispatch(bearerRefused()).put(sessionEnded({ reason: 'refused' }));
    await result();
    expect(deps.cookies.contents()).toEqual({});
  });

  it('makes a session of it when the same user signs in elsewhere', async () => {
    const { deps, saga, result } = polling(5000);
    deps.cookies.remove(setupCookie);
    const tokens = tokenPair({ personas: severalPersonas });
    put(deps, tokens);
    saga.put(sessionRestored(claimsIn(tokens.token)));
    await result();
    expect(deps.parentFrame.messages).toEqual(['new_tokens']);
  });

  it('reloads the page when another user signed in', async () => {
    const { deps, result } = polling(5000);
    put(deps, tokenPair({ uid: 'u_bob' }));
    await result();
    expect(deps.navigation.reloads()).toBe(1);
  });
});

describe('setup mode', () => {
  it('whose end is found during a step leads to /login', async () => {
    const app = open();
    await settle();
    app.deps.cookies.remove(setupCookie);
    await pass(5000);
    expect(app.address()).toBe('/login');
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('whose user changes repeatedly, as a sibling host can cause, ends the fourth time within 30 s', async () => {
    const browser = fakeBrowser();
    const { storage } = browser.tab();
    const changeUser = async () => {
      const app = open(browser.tab({ path: '/mfa-options', embedding: 'trusted', overrides: { storage } }));
      await settle();
      putSetup(app.deps, setupToken('u_bob'));
      await pass(5000);
      return app.deps;
    };
    for (const _time of [1, 2, 3]) expect((await changeUser()).navigation.reloads()).toBe(1);
    const deps = await changeUser();
    expect(deps.navigation.reloads()).toBe(0);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.navigation.address()).toBe('/login');
  });

  it('from the back/forward cache shows nothing and is reloaded', async () => {
    const app = open();
    await settle();
    app.deps.pageLife.emit('left');
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
    app.deps.pageLife.emit('restored');
    await settle();
    expect(app.deps.navigation.reloads()).toBe(1);
  });

  it('set twice by a sibling host is not setup mode, and both cookies are removed', () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    putSetup(deps, setupToken());
    deps.cookies.toss(setupCookie, JSON.stringify({ mfaToken: accessToken({ uid: 'u_evil' }) }));
    openApp(deps);
    expect(deps.cookies.readAll(setupCookie)).toEqual([]);
    expect(deps.navigation.address()).toBe('/login');
  });
});
