/** @jest-environment node */
import { codeKindSwitched } from '@features/auth/challenge/challenge.slice';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts, trustedToken } from '../../support/builders';
import { pass } from '../../support/openApp';
import { lockout, openChallenge, submit, wrongCode } from '../auth/challenge/openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const openRecovery = async () => {
  const app = await openChallenge({ config: { extensions: ['recovery-codes'] } });
  await app.send(codeKindSwitched('recovery-codes'));
  return app;
};
const challenge = { username: 'ada', method: 'basic', authVerificationToken: 'vt_1' };

describe('a recovery code at /two-auth', () => {
  it('signs in like a code, by its own call, and trusts the device on request', async () => {
    const app = await openRecovery();
    app.deps.api.recovery.use.mockResolvedValue({ ...answers.session(), trustedToken: trustedToken() });
    await submit(app, '7f3k 9qxa 2mvd h4te', true);
    expect(app.deps.api.recovery.use.mock.calls).toEqual([
      [{ ...challenge, code: '7f3k 9qxa 2mvd h4te', trust: true }],
    ]);
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.deps.cookies.contents()).toHaveProperty(['payments-test-session-trust-ada']);
  });

  it('a wrong one shows the dialog of a wrong code, and another one can be entered', async () => {
    const app = await openRecovery();
    app.deps.api.recovery.use.mockRejectedValue(wrongCode);
    await submit(app, '7F3K');
    expect(app.dialog()).toMatchObject({
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
    });
    app.answerDialog(true);
    await pass(1500);
    expect(app.state().auth.challenge).toMatchObject({
      phase: 'entering',
      by: 'recovery-codes',
      keepsCode: false,
    });
  });

  it('one that could not be checked stays', async () => {
    const app = await openRecovery();
    app.deps.api.recovery.use.mockRejectedValue(new ApiError('network'));
    await submit(app, '7F3K');
    expect(app.state().auth.challenge).toMatchObject({ keepsCode: true });
  });

  it('a lockout leads to /login with its message', async () => {
    const app = await openRecovery();
    app.deps.api.recovery.use.mockRejectedValue(lockout);
    await submit(app, '7F3K');
    expect(app.address()).toBe('/login');
    expect(app.dialog()).toMatchObject({ message: lockout.details.serverMessage });
  });

  it('‘Use a Code Instead’ goes back to the code', async () => {
    const app = await openRecovery();
    await app.send(codeKindSwitched(null));
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app, '123456');
    expect(app.deps.api.auth.token.mock.calls).toEqual([[{ ...challenge, mfaCode: '123456' }]]);
  });
});
