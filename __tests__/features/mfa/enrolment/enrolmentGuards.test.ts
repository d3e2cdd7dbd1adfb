/** @jest-environment node */
/** Tests requireProof.saga. */
import { enrolmentMethodChosen } from '@features/mfa';
import type { TwoStepMethod } from '@shared/api/decoders';
import { phoneEdited } from '@features/mfa/enrolment/enrolment.slice';
import { logoutRequested } from '@features/session';
import { tokenPair } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import {
  ada,
  begin,
  openInSetupMode,
  openInSession,
  prove,
  reachCode,
  sendCode,
  sendPhone,
} from './openEnrolment';
import { sessionCookie } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const steps = ['/authy-collect-info/u_1', '/qrcode-start/u_1', '/verification/u_1/'];

describe('a step opened by its address', () => {
  it.each(steps)('%s leads to the choice of a method, with a session', async (path) => {
    const app = await openInSession({ path });
    expect(app.address()).toBe('/mfa-options');
    expect(app.setup()).toEqual({ phase: 'none' });
  });

  it.each(['/authy-collect-info/u_2', '/verification/u_2/'])(
    '%s, of another user, leads there too',
    async (path) => {
      const app = await begin('text');
      await app.go(path);
      expect(app.address()).toBe('/mfa-options');
      expect(app.setup()).toEqual({ phase: 'none' });
    },
  );
});

describe('a proof that has ended when it is needed', () => {
  it('sends no number', async () => {
    const app = await begin('text');
    app.deps.vault.drop('verification');
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone).not.toHaveBeenCalled();
    expect(app.address()).toBe('/mfa-options');
  });

  it('is missing when the session has ended', async () => {
    const app = await begin('text');
    await app.send(logoutRequested());
    expect(app.address()).toBe('/login');
    expect(app.setup()).toEqual({ phase: 'none' });
  });
});

describe('verifying the identity again during the enrolment', () => {
  it('returns to the phone step with its input', async () => {
    const app = await begin('text');
    app.dispatch(phoneEdited(ada.entry));
    await app.go('/ask-password/enable');
    await prove(app, 'vt_2');
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.setup()).toMatchObject({ phase: 'phone', entry: ada.entry });
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone.mock.calls.at(-1)?.[1].authVerificationToken).toBe('vt_2');
  });

  it('returns to a phone step that was being submitted, to submit it again', async () => {
    const app = await begin('text');
    app.deps.api.mfa.addPhone.mockReturnValueOnce(new Promise(() => undefined));
    await sendPhone(app);
    await app.go('/ask-password/enable');
    await prove(app);
    expect(app.setup()).toMatchObject({ phase: 'phone', entry: ada.entry });
  });

  it.each(['text', 'app'] as const)('returns to the code step of %s', async (method) => {
    const app = await reachCode(method);
    await app.go('/ask-password/enable');
    await prove(app);
    expect(app.address()).toBe('/verification/u_1/');
    expect(app.setup()).toMatchObject({ phase: 'code', method });
  });

  it('without a method leads to the choice of one', async () => {
    const app = await openInSession();
    await prove(app);
    expect(app.address()).toBe('/mfa-options');
  });
});

describe('the enrolment is started from the settings', () => {
  it('while its chunk is still loading, and loses no event', async () => {
    const app = await openInSetupMode({ path: '/account-settings' });
    await app.send(enrolmentMethodChosen({ method: 'text' }));
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.setup()).toMatchObject({ phase: 'phone' });
  });

  it('with another method after the first was cancelled', async () => {
    const app = await reachCode('text');
    await app.go('/mfa-options');
    await begin('app', app);
    expect(app.address()).toBe('/qrcode-start/u_1');
    expect(app.setup()).toMatchObject({ phase: 'keyShown' });
  });
});

describe('the page goes into the back/forward cache', () => {
  it('without any data of the enrolment', async () => {
    const app = await begin('app');
    app.deps.pageLife.emit('left');
    await settle();
    expect(app.deps.vault.get('authenticatorKey')).toBeUndefined();
    expect(app.setup()).toEqual({ phase: 'none' });
  });

  it('and returns to the choice of a method', async () => {
    const app = await begin('text');
    app.deps.pageLife.emit('left');
    app.deps.pageLife.emit('restored');
    await settle();
    expect(app.address()).toBe('/mfa-options');
  });
});

/** A session whose token carries isMfaSetup chooses a method, and verifies the identity for it. */
const beginFlagged = async (method: TwoStepMethod, options: Parameters<typeof openInSession>[0] = {}) => {
  const app = await openInSession({ ...options, facts: { isMfaSetup: true } });
  await app.send(enrolmentMethodChosen({ method }));
  expect(app.address()).toBe('/ask-password/enable');
  await prove(app);
  return app;
};

describe('a session whose token carries isMfaSetup', () => {
  it('verifies the identity first, then sets up a phone with its own token and without the proof', async () => {
    const app = await beginFlagged('text');
    expect(app.address()).toBe('/authy-collect-info/u_1');
    await sendPhone(app);
    expect(app.address()).toBe('/verification/u_1/');
    await sendCode(app);
    expect(app.address()).toBe('/mfa-activated?method=sms');
    const { addPhone, validateSetup } = app.deps.api.mfa;
    expect(addPhone.mock.calls).toEqual([[app.bearer, { phone: '+12025550143', countryCode: 'US' }]]);
    expect(validateSetup.mock.calls).toEqual([[app.bearer, { mfaCode: '123456', method: 'text' }]]);
  });

  it('cannot go on once the proof has ended', async () => {
    const app = await beginFlagged('text');
    app.deps.vault.drop('verification');
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone).not.toHaveBeenCalled();
    expect(app.address()).toBe('/mfa-options');
  });

  it('sends the proof after a refresh to a token without it', async () => {
    const app = await beginFlagged('text');
    const session = sessionCookie(tokenPair());
    app.deps.cookies.write('payments-test-session', session);
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone.mock.calls[0]?.[1].authVerificationToken).toBe('vt_1');
  });

  it('is not setup mode: the screens of a session are available', async () => {
    const app = await openInSession({ facts: { isMfaSetup: true }, path: '/ask-password/disable' });
    expect(app.state().session.access.phase).toBe('active');
    await app.go('/reset-password-verify');
    expect(app.address()).toBe('/reset-password-verify');
  });
});
