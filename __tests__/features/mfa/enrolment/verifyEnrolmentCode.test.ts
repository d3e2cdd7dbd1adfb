/** @jest-environment node */
import { enrolmentMethodChosen } from '@features/mfa';
import { enrolmentCodeSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { ApiError } from '@shared/api/apiError';
import { pass, settle } from '../../../support/openApp';
import { fallback } from '../../auth/sign-in/openWith';
import { openInSetupMode, reachCode, sendCode, sendPhone } from './openEnrolment';
import { later } from '../../../support/later';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const wrong = new ApiError('server', {
  status: 401,
  serverMessage: 'Incorrect Security or Verification Code',
});

describe('the code is right', () => {
  it.each([
    ['text', 'sms'],
    ['app', 'qrcode'],
  ] as const)('%s is registered with these keys, and active at ?method=%s', async (method, named) => {
    const app = await reachCode(method);
    await sendCode(app, '123456');
    expect(app.deps.api.mfa.validateSetup.mock.calls).toEqual([
      [app.bearer, { mfaCode: '123456', method, authVerificationToken: 'vt_1' }],
    ]);
    expect(app.address()).toBe(`/mfa-activated?method=${named}`);
    // A finished step must not be in the history.
    expect(app.deps.navigation.replaces.at(-1)).toBe(`/mfa-activated?method=${named}`);
    expect(app.setup()).toEqual({ phase: 'none' });
    expect(app.deps.vault.get('authenticatorKey')).toBeUndefined();
  });

  it('submitted twice, it is one call', async () => {
    const app = await reachCode('text');
    app.dispatch(enrolmentCodeSubmitted('123456'));
    await app.send(enrolmentCodeSubmitted('123456'));
    expect(app.deps.api.mfa.validateSetup).toHaveBeenCalledTimes(1);
  });
});

describe('the code is wrong', () => {
  const refuseOnce = async (method: 'text' | 'app' = 'text') => {
    const app = await reachCode(method);
    app.deps.api.mfa.validateSetup.mockRejectedValueOnce(wrong);
    await sendCode(app);
    return app;
  };

  it.each(['text', 'app'] as const)('for %s: the boxes are red, and the dialog opens', async (method) => {
    const app = await refuseOnce(method);
    expect(app.setup()).toMatchObject({ phase: 'code', red: true, restarts: 0 });
    expect(app.dialog()).toMatchObject({
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
      confirmLabel: 'Ok',
    });
    expect(app.address()).toBe('/verification/u_1/');
  });

  it('going back to the phone closes the dialog', async () => {
    const app = await refuseOnce();
    await app.go('/authy-collect-info/u_1');
    expect(app.dialog()).toBeUndefined();
    await pass(2000);
    expect(app.setup()).toMatchObject({ phase: 'phone' });
  });
});

describe('the code could not be checked', () => {
  it.each([
    [new ApiError('network'), fallback, 'unreachable'],
    [new ApiError('timeout'), fallback, 'unreachable'],
    [new ApiError('server', { status: 500 }), fallback, 'failing'],
    [
      new ApiError('server', { status: 429, serverMessage: 'Too many attempts' }),
      'Too many attempts',
      undefined,
    ],
  ])('%s: a dialog reports it; the code can be submitted again', async (error, message, trouble) => {
    const app = await reachCode('text');
    app.deps.api.mfa.validateSetup.mockRejectedValueOnce(error);
    await sendCode(app);
    expect(app.dialog()).toMatchObject({ title: 'Setup Error', message });
    expect(app.dialog()?.trouble).toBe(trouble);
    expect(app.setup()).toMatchObject({ phase: 'code', red: false, restarts: 0 });
    app.answerDialog(true);
    await sendCode(app);
    expect(app.address()).toBe('/mfa-activated?method=sms');
  });

  it('a code that a password manager fills in behind the dialog is submitted too', async () => {
    const app = await reachCode('text');
    app.deps.api.mfa.validateSetup.mockRejectedValueOnce(new ApiError('network'));
    await sendCode(app);
    expect(app.dialog()).toMatchObject({ title: 'Setup Error' });
    await sendCode(app, '222222');
    expect(app.deps.api.mfa.validateSetup).toHaveBeenCalledTimes(2);
    expect(app.address()).toBe('/mfa-activated?method=sms');
  });
});

it('a proof consumed by a lost answer or another tab leads to the current settings', async () => {
  const app = await reachCode('text');
  const serverMessage = 'Please verify your identity again.';
  app.deps.api.mfa.validateSetup.mockRejectedValue(
    new ApiError('server', { status: 401, serverMessage, serverCode: 'invalid_verification' }),
  );
  await sendCode(app);
  expect(app.dialog()).toMatchObject({ message: serverMessage });
  app.answerDialog(true);
  await settle();
  expect(app.address()).toBe('/account-settings');
});

it('an enrolment that has expired at the service causes an error, and going back requests a new key', async () => {
  const app = await reachCode('app');
  const serverMessage = 'The time to enter the code is over. Please start again.';
  app.deps.api.mfa.validateSetup.mockRejectedValue(
    new ApiError('server', { status: 400, serverMessage, serverCode: 'invalid_request' }),
  );
  await sendCode(app);
  expect(app.dialog()).toMatchObject({ message: serverMessage });
  expect(app.deps.vault.get('authenticatorKey')).toBeUndefined();
});

it('in setup mode the choice of a method leads on after a method was set up', async () => {
  const app = await openInSetupMode();
  await app.send(enrolmentMethodChosen({ method: 'text' }));
  await sendPhone(app);
  await sendCode(app);
  await app.go('/mfa-options');
  expect(app.address()).toBe('/mfa-activated?method=sms');
});

it('an answer that arrives after the screen was left does not navigate', async () => {
  const app = await reachCode('text');
  const pending = later(app.deps.api.mfa.validateSetup);
  await sendCode(app);
  await app.go('/account-settings');
  await pending.answer(undefined);
  expect(app.address()).toBe('/account-settings');
});
