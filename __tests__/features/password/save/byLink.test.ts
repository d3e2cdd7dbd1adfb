/** @jest-environment node */
/** Tests newPassword.saga, newPassword.slice and saveNewPassword.saga. */
import { ApiError } from '@shared/api/apiError';
import { accessToken } from '../../../support/builders';
import { pass } from '../../../support/openApp';
import { openForm } from './openForm';
import { later } from '../../../support/later';
import { putSetup } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const name = { firstName: 'Ada', lastName: 'Lovelace' };

describe.each([
  ['reset', '/reset-password/h-1', false],
  ['reset', '/reset?hash=h-1', true],
  ['activate', '/activate/h-1', false],
] as const)('to %s by %s', (call, path, signedIn) => {
  it('saves with one call and these keys, confirms it, and goes to the sign-in after 1.5 s', async () => {
    const app = await openForm(path, { signedIn });
    await app.submit('Front-door7', 'Front-door8', call === 'activate' ? name : undefined);
    expect(app.deps.api.password[call].mock.calls).toEqual([
      [
        {
          ...(call === 'activate' ? name : {}),
          password: 'Front-door7',
          confirm: 'Front-door8',
          hash: 'h-1',
        },
      ],
    ]);
    expect(app.form()).toEqual({ phase: 'saved' });
    await pass(1499);
    expect(app.address()).not.toContain('/login');
    await pass(1001);
    expect(app.address()).toBe('/login');
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it.each([
    ['', 'Please enter a new password'],
    ['short1A', 'Please match the requested format'],
    ['Front-door12345', 'Please match the requested format'],
  ])('shows the error of %j at the field, without a call', async (password, message) => {
    const app = await openForm(path, { signedIn });
    await app.submit(password);
    expect(app.form()).toEqual({ phase: 'editing', error: { at: 'password', message, times: 1 } });
    expect(app.deps.api.password[call]).not.toHaveBeenCalled();
  });

  it.each([
    [new ApiError('server', { status: 410, serverMessage: 'This link is used up' }), 'This link is used up'],
    [new ApiError('network'), 'Network Error'],
    [new ApiError('timeout'), 'Network Error'],
    [new ApiError('unexpected', { status: 200 }), 'There was an error resetting your password.'],
  ])('a failure (%s) shows its text, and the form can be submitted again', async (error, message) => {
    const app = await openForm(path, { signedIn });
    app.deps.api.password[call].mockRejectedValueOnce(error);
    await app.submit('Front-door7');
    expect(app.form()).toEqual({ phase: 'editing', error: { at: 'form', message, times: 1 } });
    await app.submit('Front-door7');
    expect(app.form()).toEqual({ phase: 'saved' });
  });

  it('a second press makes no second call; an answer after leaving the screen has no effect', async () => {
    const app = await openForm(path, { signedIn });
    const { reset, activate } = app.deps.api.password;
    const saving = call === 'reset' ? later(reset) : later(activate);
    await app.submit('Front-door7');
    await app.submit('Front-door9');
    expect(app.deps.api.password[call]).toHaveBeenCalledTimes(1);
    await app.visit('/unauthorized');
    const cookies = app.deps.cookies.contents();
    await saving.answer();
    await pass(5000);
    expect(app.address()).toBe('/unauthorized');
    expect(app.deps.cookies.contents()).toEqual(cookies);
  });

  it('leaves no session of the old password, nor setup mode', async () => {
    const app = await openForm(path, { signedIn });
    const mfaToken = accessToken({ isMfaSetup: true, lifeSeconds: 900 });
    putSetup(app.deps, mfaToken);
    await app.submit('Front-door7', 'Front-door7', name);
    await pass(2500);
    expect(app.deps.cookies.contents()).toEqual({});
  });
});

it('a reset by query goes to the sign-in in a parent’s frame too', async () => {
  const app = await openForm('/reset?hash=h-1', { signedIn: true, embedding: 'trusted' });
  await app.submit('Front-door7');
  await pass(2500);
  expect(app.address()).toBe('/login');
});
