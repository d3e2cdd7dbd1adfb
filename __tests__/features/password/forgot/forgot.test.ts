/** @jest-environment node */
import { forgotSubmitted, resendRequested } from '@features/password/forgot/forgot.slice';
import { ApiError } from '@shared/api/apiError';
import { settle } from '../../../support/openApp';
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
