/** Tests wait.slice and watchReturn.saga. */
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { ApiError } from '@shared/api/apiError';
import type { TokenPair } from '@shared/api/decoders';
import { act, screen } from '@testing-library/react';
import { expectSaga } from 'redux-saga-test-plan';
import { all, delay, fork } from 'typed-redux-saga';
import { sayIfSlow } from '@app/wait.saga';
import { selectWait, waitReducer } from '@app/wait.slice';
import { severalPersonas, tokenPair, userAttributes } from '../support/builders';
import { fakeDeps, type FakeDeps } from '../support/fakeDeps';
import { enterUsername, openApp, pass } from '../support/openApp';
import { renderApp, user } from '../support/renderApp';
import { put, session } from '../support/sessionCookies';
import { later } from '../support/later';
import { arrangeSignIn } from '../support/usualResponses';

const start = 1_800_000_000_000;
beforeEach(() => jest.useFakeTimers({ now: start }));

const checking = 'Checking your session…';
const facts = { personas: severalPersonas };

/** An old session, on a host whose clock was never compared, and a service that is slow to refresh it. */
async function openSlow(path: string, prepare: (deps: FakeDeps) => void = () => undefined) {
  const deps = fakeDeps({ path });
  deps.storage.browser.write('clock-skew', null);
  put(deps, tokenPair({ ...facts, iat: start / 1000 - 7200 }));
  const { refresh } = deps.api.auth;
  const first = later(refresh);
  arrangeSignIn(deps.api, tokenPair(facts));
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  prepare(deps);
  const app = openApp(deps);
  await renderApp(app);
  return {
    deps,
    app,
    pass: (ms: number) => act(() => pass(ms)),
    /** Answers the first call. Later calls get the same response at once. */
    answer: (outcome: TokenPair | ApiError) =>
      act(async () => {
        if (outcome instanceof ApiError) refresh.mockRejectedValue(outcome);
        else refresh.mockResolvedValue(outcome);
        await (outcome instanceof ApiError ? first.refuse(outcome) : first.answer(outcome));
        await pass(5000);
      }),
  };
}

const refused = new ApiError('server', { status: 401 });

describe('an old session that a slow service checks', () => {
  it('shows a progress sign after a second, until the screen is there', async () => {
    const { pass: wait, answer } = await openSlow('/account-settings');
    await wait(900);
    expect(screen.queryByText(checking)).toBeNull();
    await wait(100);
    expect(screen.getByRole('status')).toHaveTextContent(checking);
    await answer(tokenPair(facts));
    expect(screen.queryByText(checking)).toBeNull();
    expect(screen.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
  });

  it.each([
    ['refused', refused],
    ['not answered', new ApiError('network')],
  ])('offers the sign-in meanwhile; when the session is %s, no typed text is lost', async (_how, outcome) => {
    const { app, deps, pass: wait, answer } = await openSlow('/account-settings?url=x');
    await wait(1500);
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(app.address()).toBe('/login?url=x');
    expect(screen.queryByText(checking)).toBeNull();
    await user.type(screen.getByLabelText('Username'), 'grace');
    await answer(outcome);
    expect(screen.getByLabelText('Username')).toHaveValue('grace');
    expect(deps.cookies.contents()).toEqual({});
  });

  it('offers the sign-in meanwhile, which follows the session like a sign-in in another tab', async () => {
    const { app, pass: wait, answer } = await openSlow('/account-settings');
    await wait(1500);
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await answer(tokenPair(facts));
    expect(app.address()).toBe('/account-settings');
    expect(screen.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
  });

  it('leaves /login usable: a refusal loses no input in any step', async () => {
    const { app, deps, answer } = await openSlow('/login');
    await user.type(screen.getByLabelText('Username'), 'grace');
    await act(() => enterUsername(app));
    await user.type(screen.getByLabelText('Password'), 'half of i');
    await answer(refused);
    expect(screen.getByLabelText('Password')).toHaveValue('half of i');
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('does not end an attempt to sign in, whose result is used', async () => {
    const own = tokenPair(facts);
    const { app, deps, answer } = await openSlow('/login');
    const attempt = later(deps.api.auth.token);
    await act(() => enterUsername(app));
    act(() => app.dispatch(passwordSubmitted('Corr3ct-horse')));
    await answer(tokenPair(facts));
    expect(app.signIn().phase).toBe('submitting');
    await act(() => attempt.answer(own));
    expect(deps.cookies.readAll(`${session}-refresh`)).toEqual([own.refresh]);
  });

  it('shows the progress sign also on a page from the back/forward cache, and offers the sign-in', async () => {
    const {
      app,
      deps,
      pass: wait,
      answer,
    } = await openSlow('/account-settings', (tab) => {
      tab.storage.browser.write('clock-skew', '0');
      put(tab, tokenPair({ ...facts, lifeSeconds: 600 }));
    });
    await wait(5000);
    act(() => deps.pageLife.emit('left'));
    await wait(3_600_000);
    act(() => deps.pageLife.emit('restored'));
    await wait(1000);
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(app.address()).toBe('/login');
    await answer(tokenPair(facts));
    await wait(5000);
    expect(app.address()).toBe('/account-settings');
  });
});

/** The changes of the sign that the page shows while each work takes its time: sign and time, ms. */
async function signsDuring(works: Readonly<Record<'session' | 'screen', number>>) {
  let wait = waitReducer(undefined, { type: 'begin' });
  const signs: [ReturnType<typeof selectWait>, number][] = [];
  const begin = ([phase, ms]: [string, number]) =>
    fork(() =>
      sayIfSlow(phase as 'session' | 'screen', function* () {
        yield* delay(ms);
      }),
    );
  const run = expectSaga(function* () {
    yield* all(Object.entries(works).map(begin));
  })
    .withReducer((_state: object | undefined, action) => {
      wait = waitReducer(wait, action);
      const sign = selectWait({ page: { wait } });
      if (sign !== (signs.at(-1)?.[0] ?? null)) signs.push([sign, Date.now() - start]);
      return { page: { wait } };
    })
    .run(false);
  await pass(10_000);
  await run;
  return signs;
}

it.each<[string, { session: number; screen: number }, [string | null, number][]]>([
  ['a work ends within a second: none', { session: 900, screen: 900 }, []],
  [
    'a screen loads slowly',
    { session: 0, screen: 1500 },
    [
      ['screen', 1000],
      [null, 1500],
    ],
  ],
  [
    'a session is checked for longer than a screen loads',
    { session: 3000, screen: 2000 },
    [
      ['session', 1000],
      [null, 3000],
    ],
  ],
  [
    'a screen loads for longer than a session is checked',
    { session: 2000, screen: 3000 },
    [
      ['session', 1000],
      ['screen', 2000],
      [null, 3000],
    ],
  ],
])('the page shows a progress sign as long as there is slow work: %s', async (_what, works, signs) => {
  expect(await signsDuring(works)).toEqual(signs);
});
