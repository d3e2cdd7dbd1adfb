/** @jest-environment node */
import { passkeyRequested } from '@features/auth/passkeys/passkeyAttempt';
import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen, turnOffRequested } from '@features/mfa';
import { enrolmentCodeSubmitted, phoneSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { recoveryCodesRequested } from '@features/recovery-codes';
import { linkFollowed } from '@shared/routing/location.slice';
import { accessToken, answers, methods, passkeys, userAttributes } from '../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../support/fakeDeps';
import { openApp, settle, signInWithPassword, type OpenApp } from '../support/openApp';
import { put, putSetup } from '../support/sessionCookies';
import { arrangeSignIn } from '../support/usualResponses';
import { lockout } from '../features/auth/challenge/openChallenge';
import { ada, enrolment } from '../features/mfa/enrolment/openEnrolment';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const signedIn = (deps: FakeDeps, method: 'basic' | 'other' = 'basic') =>
  put(deps, { token: accessToken({ method, lifeSeconds: 86_400 }), refresh: 'refresh-1' });

const extensions = ['revoke', 'passkeys', 'recovery-codes'];

/** Every call that the test does not refuse succeeds, in a trusted parent's frame. */
async function open(path: string, arrange: (deps: FakeDeps) => void, tab: TabOptions = {}): Promise<OpenApp> {
  const config = { extensions, passkeys: { rpId: 'login.payments.example' } };
  const deps = fakeDeps({ path, config, embedding: 'trusted', ...tab });
  const { auth, mfa, recovery, users } = deps.api;
  auth.methods.mockResolvedValue([methods.google]);
  auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  auth.revoke.mockResolvedValue(undefined);
  users.attributes.mockResolvedValue(userAttributes({ isAppActive: true }));
  mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
  mfa.addAuthenticator.mockResolvedValue(enrolment);
  recovery.count.mockResolvedValue(0);
  deps.api.passkeys.list.mockResolvedValue({ userId: 'handle', passkeys: [] });
  deps.api.passkeys.verifyOptions.mockResolvedValue(passkeys.options);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await settle();
  return app;
}

const openSigned = (arrange: (deps: FakeDeps) => void = () => undefined) =>
  open('/account-settings', (deps) => {
    signedIn(deps);
    arrange(deps);
  });

const choose = enrolmentMethodChosen({ method: 'text' });
const prove = identityPasswordSubmitted('Corr3ct-horse');
const phone = phoneSubmitted(ada);
const code = enrolmentCodeSubmitted('123456');
const newPassword = newPasswordSubmitted({ password: 'Front-door7', confirm: 'Front-door7' });

async function sendAll(app: OpenApp, ...actions: readonly { readonly type: string }[]): Promise<OpenApp> {
  for (const action of actions) await app.send(action);
  return app;
}

/** Each screen that checks a password or a code behind a sign-in: the last step is refused. */
const screens: Readonly<Record<string, () => Promise<OpenApp>>> = {
  'the password of verify identity': async () =>
    sendAll(
      await openSigned(({ api }) => api.auth.validatePassword.mockRejectedValue(lockout)),
      choose,
      prove,
    ),
  'a provider at verify identity': async () => {
    const app = await open('/account-settings', (deps) => {
      signedIn(deps, 'other');
      deps.api.auth.validatePassword.mockRejectedValue(lockout);
    });
    await sendAll(app, choose, providerRequested('google'));
    app.deps.popup.windows[0]?.say({ type: 'oauth/code', code: 'code-1' });
    await settle();
    return app;
  },
  'a passkey at verify identity': async () => {
    const app = await openSigned(({ api }) => api.passkeys.verify.mockRejectedValue(lockout));
    await app.send(choose);
    app.deps.authenticator.gives({ kind: 'given', credential: passkeys.assertion });
    return sendAll(app, passkeyRequested());
  },
  'the password of Turn Off': async () => {
    const app = await openSigned(({ api }) => api.mfa.disable.mockRejectedValue(lockout));
    await app.send(turnOffRequested());
    app.answerDialog(true);
    await settle();
    return sendAll(app, prove);
  },
  'the proof for recovery codes': async () =>
    sendAll(
      await openSigned(({ api }) => api.recovery.make.mockRejectedValue(lockout)),
      recoveryCodesRequested(),
      prove,
    ),
  'the phone of an enrolment': async () =>
    sendAll(await openSigned(({ api }) => api.mfa.addPhone.mockRejectedValue(lockout)), choose, prove, phone),
  'the code of an enrolment': async () =>
    sendAll(
      await openSigned(({ api }) => api.mfa.validateSetup.mockRejectedValue(lockout)),
      ...[choose, prove, phone, code],
    ),
  'the code of an enrolment in setup mode': async () =>
    sendAll(
      await open('/mfa-options', (deps) => {
        putSetup(deps);
        deps.api.mfa.validateSetup.mockRejectedValue(lockout);
      }),
      ...[choose, phone, code],
    ),
  'the old password of a change': async () =>
    sendAll(
      await openSigned(({ api }) => api.password.change.mockRejectedValue(lockout)),
      ...[linkFollowed({ to: '/reset-password-verify' }), prove, newPassword],
    ),
};

describe('too many failed attempts', () => {
  it.each(Object.entries(screens))(
    'with %s end the session in this browser, and /login shows the message',
    async (_what, fail) => {
      const app = await fail();
      const { api, cookies, parentFrame, vault } = app.deps;
      expect(app.address()).toBe('/login');
      expect(app.dialog()).toMatchObject({ title: 'Login Error', message: lockout.details.serverMessage });
      expect(app.state().session.access.phase).toBe('anonymous');
      expect(cookies.contents()).toEqual({});
      expect(api.auth.revoke).toHaveBeenCalledTimes(1);
      expect(parentFrame.messages).toEqual(['removed_tokens']);
      expect(vault.get('verification')).toBeUndefined();
      // One dialog, on a form that works.
      app.answerDialog(true);
      await settle();
      expect(app.dialog()).toBeUndefined();
      arrangeSignIn(api, answers.session());
      await signInWithPassword(app);
      expect(app.signIn().phase).toBe('signedIn');
    },
  );

  it('with the password at /login are shown once, and the password can be entered again', async () => {
    const app = await open('/login', ({ api }) => {
      arrangeSignIn(api, lockout);
    });
    await signInWithPassword(app);
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: lockout.details.serverMessage });
    app.answerDialog(true);
    await settle();
    expect([app.dialog(), app.signIn().phase]).toEqual([undefined, 'choosing']);
  });

  it('on the screen of a mailed link are shown in its form, and the session stays', async () => {
    const refuse = (deps: FakeDeps): void => {
      signedIn(deps);
      deps.api.password.reset.mockRejectedValue(lockout);
    };
    const app = await open('/reset-password/link-1', refuse, { embedding: 'none' });
    await app.send(newPassword);
    expect(app.state().password.newPassword).toMatchObject({
      error: { message: lockout.details.serverMessage },
    });
    expect([app.address(), app.state().session.access.phase]).toEqual(['/reset-password/link-1', 'active']);
  });

  it('end the session also if the user has left the screen of the call', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const app = await openSigned(({ api }) =>
      api.mfa.disable.mockReturnValue(new Promise((_resolve, reject) => (refuse = reject))),
    );
    await app.send(turnOffRequested());
    app.answerDialog(true);
    await settle();
    await app.send(prove);
    await app.visit('/account-settings');
    refuse(lockout);
    await settle();
    expect(app.address()).toBe('/login');
    app.answerDialog(true);
    await settle();
    expect(app.dialog()).toBeUndefined();
  });
});
