import { featuresOf } from '@app/features';
import { enrolment } from '../features/mfa/enrolment/openEnrolment';
import { answerFeatures } from './answerFeatures';
import { accessToken, answers, methods, userAttributes } from './builders';
import { fakeDeps, type FakeDeps, type TabOptions } from './fakeDeps';
import { openApp, settle, signInWithPassword, type OpenApp } from './openApp';
import { put } from './sessionCookies';
import { arrangeSignIn } from './usualResponses';
import { lockout } from '../features/auth/challenge/openChallenge';

export const signedIn = (deps: FakeDeps, method: 'basic' | 'other' = 'basic') =>
  put(deps, { token: accessToken({ method, lifeSeconds: 86_400 }), refresh: 'refresh-1' });

/** Every call that the test does not refuse succeeds, in a trusted parent's frame. */
export async function open(
  path: string,
  arrange: (deps: FakeDeps) => void,
  tab: TabOptions = {},
): Promise<OpenApp> {
  // Hears which sessions have ended.
  const hearing = { name: 'hearing', endAtService: jest.fn() };
  const features = [...featuresOf({ extensions: tab.config?.extensions ?? [] }), hearing];
  const deps = fakeDeps({ path, embedding: 'trusted', ...tab, overrides: { features } });
  const { auth, mfa, users } = deps.api;
  auth.methods.mockResolvedValue([methods.google]);
  auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  users.attributes.mockResolvedValue(userAttributes({ isAppActive: true }));
  mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
  mfa.addAuthenticator.mockResolvedValue(enrolment);
  answerFeatures(deps.api);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await settle();
  return app;
}

export const openSigned = (arrange: (deps: FakeDeps) => void = () => undefined, tab: TabOptions = {}) =>
  open(
    '/account-settings',
    (deps) => {
      signedIn(deps);
      arrange(deps);
    },
    tab,
  );

/** Dispatches one after the other. */
export async function sendAll(
  app: OpenApp,
  ...actions: readonly { readonly type: string }[]
): Promise<OpenApp> {
  for (const action of actions) await app.send(action);
  return app;
}

/** The session has ended in this browser, and `/login` shows the message. */
export async function expectLockedOut(app: OpenApp): Promise<void> {
  const { api, cookies, features, parentFrame, vault } = app.deps;
  expect(app.address()).toBe('/login');
  expect(app.dialog()).toMatchObject({ title: 'Login Error', message: lockout.details.serverMessage });
  expect(app.state().session.access.phase).toBe('anonymous');
  expect(cookies.contents()).toEqual({});
  expect(features.at(-1)?.endAtService).toHaveBeenCalledTimes(1);
  expect(parentFrame.messages).toEqual(['removed_tokens']);
  expect(vault.get('verification')).toBeUndefined();
  // One dialog, on a form that works.
  app.answerDialog(true);
  await settle();
  expect(app.dialog()).toBeUndefined();
  arrangeSignIn(api, answers.session());
  await signInWithPassword(app);
  expect(app.signIn().phase).toBe('signedIn');
}
