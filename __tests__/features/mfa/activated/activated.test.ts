/** @jest-environment node */
/** Tests activation.slice, activePhone.slice and mfa.saga. */
import { activePhoneRequested, selectActivePhone } from '@features/mfa';
import { methodOf, selectActivated, setupSignInRequested } from '@features/mfa/activated/activation.slice';
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { hosts } from '../../../support/builders';
import { openInSetupMode, openInSession } from '../enrolment/openEnrolment';
import { later } from '../../../support/later';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const sms = '/mfa-activated?method=sms';

describe('two-step verification is on', () => {
  it.each([
    ['with a session', openInSession],
    ['in setup mode', openInSetupMode],
  ])('by text message, %s: the last four digits of the phone are loaded', async (_where, open) => {
    const app = await open({ path: sms, active: 'text' });
    expect(app.deps.api.mfa.activePhone.mock.calls).toEqual([[app.bearer]]);
    expect(selectActivePhone(app.state())).toBe('0143');
  });

  it('by app: no phone is loaded', async () => {
    const app = await openInSession({ path: '/mfa-activated?method=qrcode', active: 'app' });
    expect(app.deps.api.mfa.activePhone).not.toHaveBeenCalled();
    expect(app.address()).toBe('/mfa-activated?method=qrcode');
    expect(selectActivated(app.state())).toBe('app');
  });

  it.each([
    ['/mfa-activated?method=qrcode', undefined],
    ['/mfa-activated?method=qrcode', 'text'],
    ['/mfa-activated?method=sms', 'app'],
    ['/mfa-activated', 'text'],
    ['/mfa-activated?method=other', 'text'],
  ] as const)('is not said at %s where %s is on: it leads to the settings', async (path, active) => {
    const app = await openInSession({ path, ...(active && { active }) });
    expect(app.address()).toBe('/account-settings');
    expect(selectActivated(app.state())).toBeNull();
  });

  it('if the phone cannot be loaded, this is only logged', async () => {
    const app = await openInSession({ path: '/account-settings', active: 'text' });
    app.deps.api.mfa.activePhone.mockRejectedValue(
      new ApiError('server', { status: 500, serverMessage: 'secret of the server' }),
    );
    await app.go(sms);
    expect(app.deps.log.warnings).toEqual([{ event: 'authy-info failed', facts: { kind: 'server' } }]);
    expect(app.dialog()).toBeUndefined();
    expect(app.address()).toBe(sms);
  });

  it('shows no phone that was loaded before', async () => {
    const app = await openInSession({ path: sms, active: 'text' });
    await app.go('/account-settings');
    app.deps.api.mfa.activePhone.mockReturnValue(new Promise(() => undefined));
    await app.go(sms);
    expect(selectActivePhone(app.state())).toBeNull();
  });

  it('shows no phone that arrives after Logout', async () => {
    const app = await openInSession({ path: sms, active: 'text' });
    const pending = later(app.deps.api.mfa.activePhone);
    app.dispatch(activePhoneRequested());
    app.dispatch(logoutRequested());
    await pending.answer({ lastFourPhone: '0143' });
    expect(app.state().mfa.activePhone).toEqual({ phase: 'absent' });
  });
});

it('Sign In ends setup mode and leads to signOnUrl', async () => {
  const app = await openInSetupMode({ path: sms, active: 'text' });
  await app.send(setupSignInRequested());
  expect(app.deps.cookies.contents()).toEqual({});
  expect(app.deps.navigation.leaves.map((url) => new URL(url).origin)).toEqual([hosts.login]);
});

it.each([
  ['?method=sms', 'text'],
  ['?method=qrcode', 'app'],
  ['?a=1&method=sms', 'text'],
  ['?method=SMS', null],
  ['?method=', null],
  ['?method=%3Cb%3E', null],
  ['', null],
])('the method in the address %j is %j', (search, method) => {
  expect(methodOf(search)).toBe(method);
});
