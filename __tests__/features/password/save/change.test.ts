/** @jest-environment node */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { ApiError } from '@shared/api/apiError';
import { accessToken } from '../../../support/builders';
import { pass } from '../../../support/openApp';
import { later } from '../../../support/later';
import { openForm } from './openForm';
import { sessionCookie } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const openVerified = async (options: Parameters<typeof openForm>[1] = {}) => {
  const app = await openForm('/reset-password-verify', { signedIn: true, ...options });
  await app.send(identityPasswordSubmitted('Old-door77'));
  return app;
};

describe('changing the password', () => {
  it('follows the verification, whose password is sent as the old one with the e-mail', async () => {
    const app = await openVerified();
    expect(app.address()).toBe('/reset-password-manual');
    await app.submit('Front-door7', 'Front-door7');
    expect(app.deps.api.password.change.mock.calls).toEqual([
      [
        app.token,
        {
          newPassword: 'Front-door7',
          confirmPassword: 'Front-door7',
          oldPassword: 'Old-door77',
          username: 'ada.l@example.com',
        },
      ],
    ]);
    expect(app.form()).toEqual({ phase: 'saved' });
    await pass(2500);
    expect(app.address()).toBe('/login');
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.vault.get('verification')).toBeUndefined();
  });

  it.each([
    ['', 'Please enter a new password'],
    ['short1A', 'Please meet the password requirements'],
  ])('shows the error of %j at the field', async (password, message) => {
    const app = await openVerified();
    await app.submit(password);
    expect(app.form()).toMatchObject({ error: { at: 'password', message } });
  });

  const refused = new ApiError('server', { status: 400, serverMessage: 'server words' });
  it.each([
    [refused, 'Front-door8', 'Please make sure your passwords match'],
    [refused, 'Front-door7', 'There was an error resetting your password.'],
    [new ApiError('network'), 'Front-door7', 'There was an error resetting your password.'],
  ])('a failure (%s) with the confirmation %s shows its text', async (error, confirm, message) => {
    const app = await openVerified();
    app.deps.api.password.change.mockRejectedValue(error);
    await app.submit('Front-door7', confirm);
    expect(app.deps.api.password.change).toHaveBeenCalledTimes(1);
    expect(app.form()).toMatchObject({ error: { at: 'form', message } });
  });

  it('sends a password as typed, and accepts its confirmation in another form of Unicode', async () => {
    const app = await openVerified();
    app.deps.api.password.change.mockRejectedValue(refused);
    const [newPassword, confirmPassword] = ['NFD', 'NFC'].map((form) => 'Tür-riegel7'.normalize(form));
    await app.submit(newPassword ?? '', confirmPassword);
    expect(app.deps.api.password.change.mock.calls[0]?.[1]).toMatchObject({ newPassword, confirmPassword });
    expect(app.form()).toMatchObject({ error: { message: 'There was an error resetting your password.' } });
  });

  it('in a parent’s frame skips only the redirect: after 1.5 s the cookies are removed and the parent is notified', async () => {
    const app = await openVerified({ embedding: 'trusted' });
    await app.submit('Front-door7');
    await pass(1499);
    expect(app.deps.parentFrame.messages).toEqual([]);
    await pass(1001);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.deps.vault.get('verification')).toBeUndefined();
    await pass(60_000);
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.address()).toBe('/reset-password-manual');
  });

  it('in a parent’s frame, leaving the screen leads to the sign-in', async () => {
    const app = await openVerified({ embedding: 'trusted' });
    await app.submit('Front-door7');
    await pass(5000);
    await app.visit('/account-settings');
    expect(app.address()).toBe('/login');
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('in a parent’s frame does not redirect when the 180 s of the proof would end', async () => {
    const app = await openVerified({ embedding: 'trusted' });
    await app.submit('Front-door7');
    await pass(200_000);
    expect(app.form()).toEqual({ phase: 'saved' });
    expect(app.address()).toBe('/reset-password-manual');
    expect(app.state().auth.verification.period).toBeNull();
  });

  it('in a parent’s frame ends the sessions of magic links, too', async () => {
    const app = await openVerified({ embedding: 'trusted' });
    const link = JSON.stringify({ token: app.token, refreshToken: 'link-1' });
    app.deps.cookies.write(`payments-test-session-${'a'.repeat(64)}`, link);
    await app.submit('Front-door7');
    await pass(2500);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('in progress is not interrupted by the end of the 180 s', async () => {
    const app = await openVerified();
    const saving = later(app.deps.api.password.change);
    await pass(175_000);
    await app.submit('Front-door7');
    await pass(8000);
    expect(app.address()).toBe('/reset-password-manual');
    await saving.answer();
    await pass(2500);
    expect(app.address()).toBe('/login');
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('has no effect on another screen when the answer arrives after the screen was left', async () => {
    const app = await openVerified();
    const saving = later(app.deps.api.password.change);
    await app.submit('Front-door7');
    await app.visit('/account-settings');
    const cookies = app.deps.cookies.contents();
    await saving.answer();
    await pass(5000);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.cookies.contents()).toEqual(cookies);
  });

  it('rejected after the 180 s leads to the settings', async () => {
    const app = await openVerified();
    const saving = later(app.deps.api.password.change);
    await pass(175_000);
    await app.submit('Front-door7');
    await pass(8000);
    await saving.refuse(new ApiError('server', { status: 400 }));
    await pass(1000);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.vault.get('verification')).toBeUndefined();
  });

  it.each([
    ['', 'none', []],
    [', in a parent’s frame too', 'trusted', ['removed_tokens']],
  ] as const)(
    'ends the session even if the user leaves within the 1.5 s%s',
    async (_where, embedding, told) => {
      const app = await openVerified({ embedding });
      await app.submit('Front-door7');
      await app.visit('/account-settings');
      expect(app.deps.cookies.contents()).toEqual({});
      expect(app.address()).toBe('/login');
      expect(app.deps.parentFrame.messages).toEqual(told);
    },
  );

  it('is sent with the current token', async () => {
    const app = await openVerified();
    const renewed = accessToken({ email: 'ada.l@example.com', lifeSeconds: 43_200 });
    const session = sessionCookie({ token: renewed, refresh: 'refresh-2' });
    app.deps.cookies.write('payments-test-session', session);
    await app.submit('Front-door7');
    expect(renewed).not.toBe(app.token);
    expect(app.deps.api.password.change.mock.calls.map(([token]) => token)).toEqual([renewed]);
  });

  it('sends the username if the account has no e-mail', async () => {
    const app = await openVerified({ email: '' });
    await app.submit('Front-door7');
    const [[, sent] = []] = app.deps.api.password.change.mock.calls;
    expect(sent?.username).toBe('ada@example.com');
  });

  it('needs the verified password: opened by its address it leads to the settings', async () => {
    const app = await openForm('/reset-password-manual', { signedIn: true });
    expect(app.address()).toBe('/account-settings');
  });

  it('is for users with a password', async () => {
    const app = await openForm('/reset-password-verify', { signedIn: 'withoutPassword' });
    expect(app.address()).toBe('/account-settings');
  });

  it('a wrong old password shows the text of a wrong password at sign-in', async () => {
    const app = await openForm('/reset-password-verify', { signedIn: true });
    app.deps.api.auth.validatePassword.mockRejectedValue(new ApiError('server', { status: 401 }));
    await app.send(identityPasswordSubmitted('wrong'));
    expect(app.dialog()).toMatchObject({
      message:
        'We were unable to match the User ID and password you entered. Please check your entries and try again.',
    });
  });
});
