/** @jest-environment node */
import { forgotSubmitted, resendRequested } from '@features/password/forgot/forgot.slice';
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { accessToken, tokenPair } from '../../../support/builders';
import { pass, settle } from '../../../support/openApp';
import { openForm } from '../save/openForm';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('a forgotten password', () => {
  it.each([
    ['success', () => Promise.resolve()],
    ['failure', () => Promise.reject(new ApiError('server', { status: 500, serverMessage: 'x' }))],
    ['no answer', () => Promise.reject(new ApiError('network'))],
  ])('is answered alike after %s', async (_name, answer) => {
    const app = await openForm('/forgot-password');
    app.deps.api.password.forgot.mockImplementation(answer);
    app.dispatch(forgotSubmitted('ada@example.com'));
    await settle();
    expect(app.deps.api.password.forgot.mock.calls).toEqual([['ada@example.com']]);
    expect(app.state().password.forgot).toEqual({ phase: 'sent', email: 'ada@example.com' });
    expect(app.dialog()).toBeUndefined();
  });

  it('can be asked for again: Resend leads back to the form with the e-mail', async () => {
    const app = await openForm('/forgot-password');
    app.deps.api.password.forgot.mockResolvedValue(undefined);
    app.dispatch(forgotSubmitted('ada@example.com'));
    await settle();
    app.dispatch(resendRequested());
    expect(app.state().password.forgot).toEqual({ phase: 'form', email: 'ada@example.com' });
    app.dispatch(forgotSubmitted('bob@example.com'));
    await settle();
    expect(app.deps.api.password.forgot).toHaveBeenCalledTimes(2);
  });

  it('a second press while the first is on its way makes no second call', async () => {
    const app = await openForm('/forgot-password');
    app.deps.api.password.forgot.mockReturnValue(new Promise(() => undefined));
    app.dispatch(forgotSubmitted('ada@example.com'));
    app.dispatch(forgotSubmitted('ada@example.com'));
    await settle();
    expect(app.deps.api.password.forgot).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['?mode=verify', true, 'ada.l@example.com'],
    ['', true, ''],
    ['?mode=verify', false, ''],
  ])('at %j, signed in: %s, starts with %j', async (query, signedIn, email) => {
    const app = await openForm(`/forgot-password${query}`, { signedIn });
    expect(app.state().password.forgot).toEqual({ phase: 'form', email });
  });
});

describe('the e-mail of a verification', () => {
  const session = 'payments-test-session';
  const life = { kind: 'session' } as const;
  const openVerifying = async () => {
    const app = await openForm('/forgot-password?mode=verify', { signedIn: true });
    app.deps.api.password.forgot.mockResolvedValue(undefined);
    return app;
  };
  type App = Awaited<ReturnType<typeof openVerifying>>;
  const given = (app: App) => app.state().password.forgot.email;

  it.each<[string, (app: App) => void]>([
    ['a sign-out', (app) => app.dispatch(logoutRequested())],
    ['a sign-out in another tab', ({ deps }) => deps.cookies.remove(session)],
    ['a cookie that is none of ours', ({ deps }) => void deps.cookies.write(session, 'x', life)],
  ])('is gone with the session, by %s', async (_way, end) => {
    const app = await openVerifying();
    expect(given(app)).toBe('ada.l@example.com');
    end(app);
    await pass(5000);
    expect(given(app)).toBe('');
    expect(JSON.stringify(app.state())).not.toContain('ada.l@example.com');
  });

  it('is gone with the session for who goes back to the form', async () => {
    const app = await openVerifying();
    app.dispatch(forgotSubmitted('ada.l@example.com'));
    await settle();
    app.dispatch(logoutRequested());
    await settle();
    app.dispatch(resendRequested());
    expect(app.state().password.forgot).toEqual({ phase: 'form', email: '' });
  });

  it('is not taken from a session that is over', async () => {
    const app = await openForm('/account-settings', { signedIn: true });
    const token = accessToken({ lifeSeconds: -1 });
    // Expired while nobody looked: the cookie is still there.
    app.deps.navigation.visit('/forgot-password?mode=verify');
    app.deps.cookies.write(session, JSON.stringify({ authenticated: { token, refresh: 'r' } }), life);
    await settle();
    expect(given(app)).toBe('');
  });

  it('of one person is not shown to the next, who has signed in elsewhere', async () => {
    const app = await openVerifying();
    const tokens = tokenPair({ uid: 'u_2', email: 'bob@example.com', lifeSeconds: 86_400 });
    app.deps.cookies.remove(session);
    await pass(5000);
    app.deps.cookies.write(session, JSON.stringify({ authenticated: tokens }), life);
    await pass(5000);
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_2' } });
    expect(given(app)).toBe('');
  });
});
