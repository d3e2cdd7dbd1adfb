/** @jest-environment node */
import {
  identityPasswordSubmitted,
  verificationReducer,
  verificationStarted,
} from '@features/auth/verify-identity/verification.slice';
import {
  verificationLifeMs,
  watchVerificationPeriod,
} from '@features/auth/verify-identity/verificationPeriod.saga';
import { enrolmentMethodChosen } from '@features/mfa';
import { sessionEnded } from '@features/session';
import { locationChanged } from '@shared/routing/location.slice';
import type { RouteName } from '@vestibule/contract/paths';
import { expectSaga } from 'redux-saga-test-plan';
import { accessToken, hosts, tokenPair } from '../../../support/builders';
import { fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { openSettings, type VerifyApp } from './openVerify';
import { put, putSetup, sessionCookie } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

/** The period in the store. */
const periodOf = (app: Pick<VerifyApp, 'state'>) => app.state().auth.verification.period;

/** Runs the period of a proof for this long, ms; the vault holds its token. */
function verifiedFor(ms: number) {
  const deps = fakeDeps({ path: '/authy-collect-info/u_1' });
  put(deps, tokenPair());
  deps.vault.put('verification', { authVerificationToken: 'vt-1' });
  const proof = { purpose: 'enable', expiresAt: Date.now() + verificationLifeMs } as const;
  const saga = expectSaga(watchVerificationPeriod, deps).withReducer(verificationReducer);
  saga.dispatch(verificationStarted(proof));
  const result = async () => {
    const running = saga.silentRun(ms);
    await pass(ms);
    const { storeState } = (await running) as { storeState: ReturnType<typeof verificationReducer> };
    return { period: storeState.period, isHeld: deps.vault.get('verification') !== undefined };
  };
  return { deps, saga, result };
}
const at = (route: RouteName) => locationChanged({ route, pathname: '/', search: '', key: '' });

describe('the 180 s of a verification', () => {
  it('are quiet for 150 s', async () => {
    const { period, isHeld } = await verifiedFor(149_000).result();
    expect(period).toMatchObject({ isExpiring: false });
    expect(isHeld).toBe(true);
  });

  it('warn 30 s before the end', async () => {
    const { period, isHeld } = await verifiedFor(151_000).result();
    expect(period).toMatchObject({ isExpiring: true });
    expect(isHeld).toBe(true);
  });

  it.each<readonly [string, number, (deps: FakeDeps) => void]>([
    ['after them', 181_000, () => undefined],
    ['when the computer slept for longer', 1000, ({ clock }) => clock.advance(3_600_000)],
    ['when the clock was set forward', 1000, ({ clock }) => clock.set(1_800_010_000_000)],
    ['and are not longer when it is set back', 181_000, ({ clock }) => clock.set(1_799_990_000_000)],
  ])('end %s: the token is dropped, and the settings follow', async (_when, ms, change) => {
    const { deps, result } = verifiedFor(ms);
    setTimeout(() => change(deps), 0);
    const { period, isHeld } = await result();
    expect([period, isHeld]).toEqual([null, false]);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it.each([
    at('accountSettings'),
    at('mfaOptions'),
    at('unauthorized'),
    sessionEnded({ reason: 'signedOut' }),
  ])('end without a redirect with %j', async (event) => {
    const { deps, saga, result } = verifiedFor(181_000);
    saga.dispatch(event);
    const { period, isHeld } = await result();
    expect([period, isHeld]).toEqual([null, false]);
    expect(deps.navigation.address()).toBe('/authy-collect-info/u_1');
  });

  it.each([at('askPassword'), at('appEnrolment'), at('enrolmentCode'), at('changePassword')])(
    'go on with %j',
    async (event) => {
      const { saga, result } = verifiedFor(100_000);
      saga.dispatch(event);
      expect((await result()).isHeld).toBe(true);
    },
  );

  it('restart when the identity is verified again, and the step is unchanged', async () => {
    const app = await openSettings();
    await app.send(enrolmentMethodChosen({ method: 'text' }));
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(app.address()).toBe('/authy-collect-info/u_1');
    await pass(160_000);
    await app.visit('/ask-password/enable');
    app.deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-2' });
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.deps.vault.get('verification')).toEqual({ authVerificationToken: 'vt-2' });
    await pass(100_000);
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(periodOf(app)).toMatchObject({ expiresAt: 1_800_000_340_000, isExpiring: false });
  });
});

describe('in setup mode', () => {
  const openSetupMode = async () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    putSetup(deps, accessToken({ isMfaSetup: true, lifeSeconds: 3600 }));
    const app = openApp(deps);
    await settle();
    await app.send(enrolmentMethodChosen({ method: 'text' }));
    return { ...app, address: () => deps.navigation.address() };
  };

  it('the set-up and the 180 s start at once, because the password was just entered', async () => {
    const app = await openSetupMode();
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.deps.api.auth.validatePassword).not.toHaveBeenCalled();
    expect(periodOf(app)).toEqual({ purpose: 'setup', expiresAt: 1_800_000_180_000, isExpiring: false });
  });

  it('their end leads to signOnUrl, and setup mode ends', async () => {
    const app = await openSetupMode();
    await pass(181_000);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/`]);
    expect(app.deps.cookies.contents()).toEqual({});
  });
});

describe('with a session whose token carries isMfaSetup', () => {
  const session = 'payments-test-session';
  const verifyAt = async (app: VerifyApp) => {
    if (app.address() === '/mfa-options') await app.send(enrolmentMethodChosen({ method: 'text' }));
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
  };

  it.each([
    ['the set-up', '/mfa-options', '/authy-collect-info/u_1'],
    ['a change of the password', '/reset-password-verify', '/reset-password-manual'],
  ])('the end of the 180 s of %s leads to signOnUrl, and the session stays', async (_name, path, step) => {
    const app = await openSettings({ isMfaSetup: true, path });
    await verifyAt(app);
    expect(app.address()).toBe(step);
    await pass(179_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(periodOf(app)).toMatchObject({ isExpiring: true });
    await pass(2000);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/`]);
    expect(app.deps.cookies.contents()).toHaveProperty([session]);
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(periodOf(app)).toBeNull();
  });

  it('their end leads a frame to the settings in the same document, which knows its parent', async () => {
    const app = await openSettings({
      isMfaSetup: true,
      path: '/reset-password-verify',
      embedding: 'trusted',
    });
    await verifyAt(app);
    await pass(181_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.cookies.contents()).toHaveProperty([session]);
  });

  it('their end leads to the settings after a refresh to a token without it', async () => {
    const app = await openSettings({ isMfaSetup: true, path: '/mfa-options' });
    await verifyAt(app);
    const tokens = tokenPair({ lifeSeconds: 86_400 });
    app.deps.cookies.write(session, sessionCookie(tokens));
    await pass(181_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.address()).toBe('/account-settings');
  });
});
