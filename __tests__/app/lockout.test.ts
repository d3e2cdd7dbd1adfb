/** @jest-environment node */
import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen, turnOffRequested } from '@features/mfa';
import { enrolmentCodeSubmitted, phoneSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { linkFollowed } from '@shared/routing/location.slice';
import type { FakeDeps } from '../support/fakeDeps';
import { settle, signInWithPassword, type OpenApp } from '../support/openApp';
import { putSetup } from '../support/sessionCookies';
import { arrangeSignIn } from '../support/usualResponses';
import { expectLockedOut, open, openSigned, sendAll, signedIn } from '../support/lockedOut';
import { lockout } from '../features/auth/challenge/openChallenge';
import { ada } from '../features/mfa/enrolment/openEnrolment';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const choose = enrolmentMethodChosen({ method: 'text' });
const prove = identityPasswordSubmitted('Corr3ct-horse');
const phone = phoneSubmitted(ada);
const code = enrolmentCodeSubmitted('123456');
const newPassword = newPasswordSubmitted({ password: 'Front-door7', confirm: 'Front-door7' });

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
  'the password of Turn Off': async () => {
    const app = await openSigned(({ api }) => api.mfa.disable.mockRejectedValue(lockout));
    await app.send(turnOffRequested());
    app.answerDialog(true);
    await settle();
    return sendAll(app, prove);
  },
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
      await expectLockedOut(app);
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
