/** @jest-environment node */
/** Tests enrolment.saga and enrolment.slice. */
import { keyRequested, keyCopyRequested } from '@features/mfa/enrolment/enrolment.slice';
import { ApiError } from '@shared/api/apiError';
import { settle } from '../../../support/openApp';
import { fallback } from '../../auth/sign-in/openWith';
import { begin, enrolment } from './openEnrolment';
import { later } from '../../../support/later';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

describe('setting up an authenticator app', () => {
  it('requests an enrolment with the proof, and keeps it in the vault only', async () => {
    const app = await begin('app');
    expect(app.address()).toBe('/qrcode-start/u_1');
    expect(app.deps.api.mfa.addAuthenticator.mock.calls).toEqual([
      [app.bearer, { authVerificationToken: 'vt_1' }],
    ]);
    expect(app.setup()).toEqual({ phase: 'keyShown', method: 'app', copy: null });
    expect(app.deps.vault.get('authenticatorKey')).toEqual(enrolment);
    expect(JSON.stringify(app.state())).not.toContain(enrolment.code);
  });

  it('shows the same key after going back from the code', async () => {
    const app = await begin('app');
    await app.go('/verification/u_1/');
    expect(app.setup()).toMatchObject({ phase: 'code', method: 'app' });
    await app.go('/qrcode-start/u_1');
    expect(app.setup()).toMatchObject({ phase: 'keyShown' });
    expect(app.deps.api.mfa.addAuthenticator).toHaveBeenCalledTimes(1);
  });

  it.each(['/account-settings', '/mfa-options'])('drops the key when the user leaves for %s', async (to) => {
    const app = await begin('app');
    await app.go(to);
    expect(app.deps.vault.get('authenticatorKey')).toBeUndefined();
    expect(app.setup()).toEqual({ phase: 'none' });
  });
});

describe('the key cannot be loaded', () => {
  it.each([
    [new ApiError('server', { status: 500, serverMessage: 'No more keys' }), 'No more keys'],
    [new ApiError('timeout'), fallback],
    [new ApiError('unexpected'), fallback],
  ])('%s: an error is shown, and Try Again repeats the call', async (error, message) => {
    const app = await begin('app', undefined);
    await app.go('/mfa-options');
    app.deps.api.mfa.addAuthenticator.mockRejectedValueOnce(error);
    await begin('app', app);
    expect(app.dialog()).toMatchObject({ title: 'Setup Error', message });
    expect(app.setup()).toEqual({ phase: 'keyFailed', method: 'app' });
    app.answerDialog(true);
    app.dispatch(keyRequested());
    await app.send(keyRequested());
    expect(app.setup()).toMatchObject({ phase: 'keyShown' });
    expect(app.deps.api.mfa.addAuthenticator).toHaveBeenCalledTimes(3);
  });

  it('an answer that arrives after the screen was left is not kept', async () => {
    const app = await begin('app');
    await app.go('/mfa-options');
    const pending = later(app.deps.api.mfa.addAuthenticator);
    await begin('app', app);
    await app.go('/account-settings');
    await pending.answer(enrolment);
    expect(app.deps.vault.get('authenticatorKey')).toBeUndefined();
    expect(app.setup()).toEqual({ phase: 'none' });
  });
});

describe('copying the key', () => {
  it('copies it without gaps, synchronously with the click, and confirms each copy', async () => {
    const app = await begin('app');
    app.dispatch(keyCopyRequested());
    // Not awaited: browsers allow it only synchronously with the click.
    expect(app.deps.clipboard.copied).toEqual([enrolment.code]);
    await settle();
    expect(app.setup()).toMatchObject({ copy: { outcome: 'copied', times: 1 } });
    await app.send(keyCopyRequested());
    expect(app.setup()).toMatchObject({ copy: { outcome: 'copied', times: 2 } });
  });

  it('shows that the browser refused', async () => {
    const app = await begin('app');
    app.deps.clipboard.refuse();
    await app.send(keyCopyRequested());
    expect(app.setup()).toMatchObject({ copy: { outcome: 'refused', times: 1 } });
  });

  it('copies nothing after the key was dropped', async () => {
    const app = await begin('app');
    app.deps.vault.drop('authenticatorKey');
    await app.send(keyCopyRequested());
    expect(app.deps.clipboard.copied).toEqual([]);
  });
});
