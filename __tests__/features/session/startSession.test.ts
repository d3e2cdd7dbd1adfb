/** @jest-environment node */
/** Tests restoreSession.saga. */
import { rootReducer } from '@app/rootReducer';
import { startSession } from '@features/session';
import { expectSaga, type RunResult } from 'redux-saga-test-plan';
import { tokenPair } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { put, session, start } from './refresh/openSignedIn';
import { putSetup } from '../../support/sessionCookies';

it('the start of a session writes the cookies, notifies the parent, and puts the claims into the store', async () => {
  const deps = fakeDeps({ embedding: 'trusted' });
  const result: RunResult = await expectSaga(startSession, deps, tokenPair({ uid: 'u_7' }))
    .withReducer(rootReducer, rootReducer(undefined, { type: 'test/opened' }))
    .run(false);
  expect(result.returnValue).toMatchObject({ kind: 'started', claims: { uid: 'u_7' } });
  expect(result.storeState).toMatchObject({
    session: { access: { phase: 'active', claims: { uid: 'u_7' } } },
  });
  expect(deps.parentFrame.messages).toEqual(['new_tokens']);
  expect(Object.keys(deps.cookies.contents())).toEqual([session, `${session}-refresh`]);
});

it.each([
  ['near the largest that browsers keep is logged once, without its content', 42, 1],
  ['of a usual size is not logged', 1, 0],
])('a session cookie %s', async (_name, personas, warnings) => {
  const deps = fakeDeps();
  const entries = Array.from({ length: personas }, () => ({
    applicationUrl: 'https://ledger.payments.example/start',
  }));
  const tokens = tokenPair({ personas: { ledger: entries } });
  await expectSaga(startSession, deps, tokens)
    .withReducer(rootReducer, rootReducer(undefined, { type: 'test/opened' }))
    .run(false);
  expect(deps.log.warnings).toHaveLength(warnings);
  for (const { event, facts } of deps.log.warnings) {
    expect(event).toBe('session cookie near the limit of browsers');
    expect(Object.keys(facts)).toEqual(['bytes']);
    expect(facts['bytes']).toBeGreaterThan(3500);
    expect(facts['bytes']).toBeLessThan(4097);
  }
});

describe('a page that is opened', () => {
  beforeEach(() => jest.useFakeTimers({ now: start }));

  it('with an expired token clears it, notifies the parent, and shows /login with the query', async () => {
    const deps = fakeDeps({ path: '/account-settings?url=%2Fx', embedding: 'trusted' });
    put(deps, tokenPair({ iat: start / 1000 - 900, lifeSeconds: 900 }));
    const app = openApp(deps);
    await pass(0);
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.state().page.location).toMatchObject({ pathname: '/login', search: '?url=%2Fx' });
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it.each(['/login', '/account-settings', '/unauthorized'])(
    'at %s clears a lone refresh cookie',
    async (path) => {
      const deps = fakeDeps({ path });
      deps.cookies.write(`${session}-refresh`, 'orphan');
      openApp(deps);
      await settle();
      expect(deps.cookies.contents()).toEqual({});
    },
  );

  it('in setup mode clears a refresh cookie, and the set-up continues', async () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    deps.cookies.write(`${session}-refresh`, 'orphan');
    putSetup(deps);
    openApp(deps);
    await settle();
    expect(Object.keys(deps.cookies.contents())).toEqual([`${session}-setup`]);
  });

  it.each([
    ['a frame in a parent on another site', 'partitioned', true, 'refused'],
    ['a frame in a parent on the same site', 'trusted', true, 'shared'],
    ['a frame whose cookies are refused', 'trusted', false, 'refused'],
    ['a top-level window, with any cookies', 'none', false, 'shared'],
  ] as const)('in %s detects partitioned storage', async (_name, embedding, cookies, expected) => {
    const deps = fakeDeps({ embedding });
    if (!cookies) deps.cookies.switchOff();
    const app = openApp(deps);
    await settle();
    expect(app.state().session.frameStorage.phase).toBe(expected);
  });
});
