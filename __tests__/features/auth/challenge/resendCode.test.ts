/** @jest-environment node */
import { newCodeRequested } from '@features/auth/challenge/challenge.slice';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts } from '../../../support/builders';
import { pass, type OpenApp } from '../../../support/openApp';
import { basicDefault } from '../sign-in/openWith';
import { later } from '../../../support/later';
import { lockout, openChallenge, submit, wrongCode } from './openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const resend = async (app: OpenApp) => {
  await app.send(newCodeRequested());
};
const status = (app: OpenApp) => {
  const state = app.state().auth.challenge;
  return 'resend' in state ? state.resend : undefined;
};

describe('a new text message', () => {
  it('is requested with these keys and no others', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockResolvedValue(answers.textChallenge());
    await resend(app);
    // `resend` is not sent (`shared/api`).
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada', method: 'basic', authVerificationToken: 'vt_1', resend: true }],
    ]);
  });

  it('never signs in, whatever the answer contains', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await resend(app);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.state().session.access.phase).toBe('anonymous');
  });

  it('is not requested if the code comes from an app', async () => {
    const app = await openChallenge({ challenge: answers.appChallenge() });
    await resend(app);
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    expect(status(app)).toBe('ready');
  });

  it.each([
    [
      'the service’s message',
      new ApiError('server', { status: 500, serverMessage: 'No.' }),
      'No.',
      'failing',
    ],
    ['the method’s default text', new ApiError('network'), basicDefault, 'unreachable'],
  ])('shows an error when it fails: %s', async (_words, error, message, trouble) => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockRejectedValueOnce(error);
    await resend(app);
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message, trouble });
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', restarts: 0, resend: 'ready' });
    app.answerDialog(true);
    app.deps.api.auth.token.mockResolvedValue({});
    await resend(app);
    expect(status(app)).toBe('sent');
  });

  it('rejected by a lockout leads back to /login with its message', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockRejectedValue(lockout);
    await resend(app);
    expect(app.address()).toBe('/login');
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: lockout.details.serverMessage });
  });
});

describe('a new text message and a code submitted at the same time', () => {
  it('the code waits for the message, whose token it needs', async () => {
    const app = await openChallenge();
    const message = later(app.deps.api.auth.token);
    await resend(app);
    app.deps.api.auth.token.mockResolvedValueOnce(answers.session());
    await submit(app);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'checking', resend: 'sending' });
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    await message.answer(answers.textChallenge({ authVerificationToken: 'vt_2' }));
    expect(app.deps.api.auth.token.mock.calls[1]?.[0]).toMatchObject({
      authVerificationToken: 'vt_2',
      mfaCode: '123456',
    });
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('the code is sent if the message fails', async () => {
    const app = await openChallenge();
    const message = later(app.deps.api.auth.token);
    await resend(app);
    app.deps.api.auth.token.mockResolvedValueOnce(answers.session());
    await submit(app);
    await message.refuse(new ApiError('timeout'));
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('no message is requested while a code is checked, but after a wrong one', async () => {
    const app = await openChallenge();
    const check = later(app.deps.api.auth.token);
    await submit(app);
    await resend(app);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    await check.refuse(wrongCode);
    await pass(1500);
    app.answerDialog(true);
    app.deps.api.auth.token.mockResolvedValue({});
    await resend(app);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(2);
    expect(status(app)).toBe('sent');
  });

  it('the 5 s continue while a code is checked', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockResolvedValueOnce({});
    await resend(app);
    const check = later(app.deps.api.auth.token);
    await submit(app);
    await pass(5000);
    expect(status(app)).toBe('ready');
    await check.refuse(wrongCode);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'rejected', resend: 'ready' });
  });
});
