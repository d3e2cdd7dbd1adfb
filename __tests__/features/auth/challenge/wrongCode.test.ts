/** @jest-environment node */
import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts } from '../../../support/builders';
import { pass, settle } from '../../../support/openApp';
import { lateAnswer, lockout, openChallenge, submit, wrongCode } from './openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const openWithWrongCode = async (error = wrongCode) => {
  const app = await openChallenge();
  app.deps.api.auth.token.mockRejectedValueOnce(error);
  await submit(app);
  return app;
};

describe('the code is wrong', () => {
  it.each([
    ['the service says so', wrongCode],
    ['the service says nothing', new ApiError('server', { status: 500 })],
    ['there is no answer', new ApiError('network')],
  ])('when %s: red boxes, and the dialog to the letter', async (_why, error) => {
    const app = await openWithWrongCode(error);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'rejected', attempt: 0 });
    expect(app.dialog()).toMatchObject({
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
      confirmLabel: 'Ok',
    });
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('the boxes are red for 1.5 s, then empty, also behind the dialog', async () => {
    const app = await openWithWrongCode();
    await pass(1499);
    expect(app.state().auth.challenge.phase).toBe('rejected');
    await pass(1);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', attempt: 1 });
    expect(app.dialog()).toBeDefined();
  });

  it('the first box gets the focus again once the dialog is answered', async () => {
    const app = await openWithWrongCode();
    await pass(3000);
    app.answerDialog(true);
    expect(app.dialog()).toBeUndefined();
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', attempt: 2 });
  });

  it('a quick answer does not shorten the red, and empties nothing that was typed after it', async () => {
    const app = await openWithWrongCode();
    await pass(500);
    app.answerDialog(true);
    expect(app.state().auth.challenge.phase).toBe('rejected');
    await pass(1000);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', attempt: 1 });
    await pass(60_000);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', attempt: 1 });
  });

  it('the next one signs in', async () => {
    const app = await openWithWrongCode();
    await pass(1500);
    app.answerDialog(true);
    await settle();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app, '654321');
    expect(app.deps.api.auth.token.mock.calls.map(([body]) => body)).toMatchObject([
      { mfaCode: '123456' },
      { mfaCode: '654321', authVerificationToken: 'vt_1' },
    ]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('submitted twice, it is one call and one dialog', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockRejectedValue(wrongCode);
    app.dispatch(codeSubmitted({ code: '123456', trust: false }));
    await submit(app);
    await submit(app);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    app.answerDialog(true);
    expect(app.dialog()).toBeUndefined();
  });

  it('the dialog goes with the screen', async () => {
    const app = await openWithWrongCode();
    app.deps.navigation.visit('/login');
    expect(app.dialog()).toBeUndefined();
    await pass(2000);
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });
});

describe('too many wrong codes', () => {
  it('lead back to /login with the service’s message; the query is kept, the challenge is not', async () => {
    const app = await openChallenge({ path: '/login?supplierHub' });
    app.deps.api.auth.token.mockRejectedValue(lockout);
    await submit(app);
    expect(app.deps.navigation.address()).toBe('/login?supplierHub');
    expect(app.deps.navigation.replaces[0]).toBe('/login?supplierHub');
    expect(app.dialog()).toMatchObject({
      title: 'Login Error',
      message: 'Too many failed login attempts. Try again in 15 minutes.',
    });
    expect(app.deps.vault.get('challenge')).toBeUndefined();
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });
});

describe('the challenge is gone', () => {
  it('because the page was put away: back again, it begins at /login, and nothing is sent', async () => {
    const app = await openChallenge({ path: '/login?url=x' });
    app.deps.pageLife.emit('left');
    app.deps.pageLife.emit('restored');
    await settle();
    expect(app.deps.navigation.address()).toBe('/login?url=x');
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });

  it('a code that is submitted all the same goes nowhere', async () => {
    const app = await openChallenge();
    app.deps.vault.dropAll();
    await submit(app);
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    expect(app.deps.navigation.address()).toBe('/login');
  });

  it('a late refusal opens no dialog on another screen', async () => {
    const app = await openChallenge();
    const late = lateAnswer(app);
    await submit(app);
    app.deps.navigation.visit('/unauthorized');
    await late.refuse(wrongCode);
    expect(app.dialog()).toBeUndefined();
    expect(app.state().location.pathname).toBe('/unauthorized');
  });

  it('nobody is left listening', async () => {
    const app = await openChallenge();
    const before = app.deps.pageLife.listenerCount();
    app.deps.navigation.visit('/unauthorized');
    expect(app.deps.pageLife.listenerCount()).toBe(before - 1);
  });
});
