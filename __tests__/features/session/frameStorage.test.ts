/** @jest-environment node */
/** Tests gainStorage.saga. */
import { frameStorageChanged } from '@features/session';
import { testConfig, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { put, start } from './refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const cookies = { ...testConfig().cookies, sameSite: 'None' } as const;

/** A frame of another site whose browser keeps its cookies apart. */
const frame = (): FakeDeps => fakeDeps({ embedding: 'partitioned', config: { cookies } });

/** The user's session, which the frame sees from now on. */
const share = (deps: FakeDeps): boolean => {
  put(deps, tokenPair({ iat: start / 1000, lifeSeconds: 900 }));
  return true;
};

async function open(deps: FakeDeps) {
  const app = openApp(deps);
  await settle();
  const ask = async (): Promise<void> => {
    app.store.dispatch(frameStorageChanged({ phase: 'asking' }));
    await settle();
  };
  return { app, ask, storage: () => app.state().session.frameStorage };
}

it('the press goes on with the session that the user has, and notifies the parent', async () => {
  const deps = frame();
  const { app, ask, storage } = await open(deps);
  expect(storage()).toEqual({ phase: 'partitioned' });
  expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
  deps.frameAccess.answer(() => share(deps));
  await ask();
  expect(storage()).toEqual({ phase: 'shared' });
  expect(app.state().auth.signIn).toEqual({ phase: 'signedIn' });
  expect(deps.parentFrame.messages).toEqual(['removed_tokens', 'new_tokens']);
});

it('without a session, the press leads to the form, and the parent gets no further message', async () => {
  const deps = frame();
  const { app, ask, storage } = await open(deps);
  deps.frameAccess.answer(() => true);
  await ask();
  expect(storage()).toEqual({ phase: 'shared' });
  expect(app.state().auth.signIn).toMatchObject({ phase: 'username' });
  expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
});

it('what the user allowed on an earlier visit needs no press, and the parent keeps its user', async () => {
  const deps = frame();
  deps.frameAccess.expect('granted');
  deps.frameAccess.answer(() => share(deps));
  const { app, storage } = await open(deps);
  expect(storage()).toEqual({ phase: 'shared' });
  expect(app.state().auth.signIn).toEqual({ phase: 'signedIn' });
  expect(deps.parentFrame.messages).toEqual([]);
});

it('a first refusal leads to the sign-in page in its own window, a second one is final until the user tries again', async () => {
  const deps = frame();
  const { ask, storage } = await open(deps);
  await ask();
  expect(storage()).toEqual({ phase: 'visitNeeded' });
  await ask();
  expect(storage()).toEqual({ phase: 'refused', reason: 'denied' });
  deps.frameAccess.answer(() => share(deps));
  await ask();
  expect(storage()).toEqual({ phase: 'shared' });
});

it.each(['asked for the first time', 'allowed on an earlier visit'])(
  'a browser that agrees but keeps no cookies is distinguished from one that refuses: %s',
  async (visit) => {
    const deps = frame();
    deps.cookies.switchOff();
    if (visit === 'allowed on an earlier visit') deps.frameAccess.expect('granted');
    deps.frameAccess.answer(() => true);
    const { ask, storage } = await open(deps);
    await ask();
    expect(storage()).toEqual({ phase: 'refused', reason: 'noCookies' });
  },
);

it.each(['forbidden', 'unsupported'] as const)('where asking is %s, nothing is asked', async (outlook) => {
  const deps = frame();
  deps.frameAccess.expect(outlook);
  const { storage } = await open(deps);
  expect(storage()).toEqual({ phase: 'refused', reason: outlook });
});

it('with cookies for the same site only, nothing is asked', async () => {
  const { storage } = await open(fakeDeps({ embedding: 'partitioned' }));
  expect(storage()).toEqual({ phase: 'refused', reason: 'unsupported' });
});
