import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen } from '@features/mfa';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { FakeDeps } from '../support/fakeDeps';
import { enterUsername, settle, signInWithPassword, type OpenApp } from '../support/openApp';
import { partsOfFeatures } from '../support/partsOfFeatures';

/** How a screen is reached. */
export interface Opening {
  readonly path: string;
  readonly signedIn?: boolean;
  readonly config?: Partial<AppConfig>;
  /** Answers the calls of an extension. */
  readonly arrange?: (deps: FakeDeps) => void;
  /** What has to be done to get to the screen. */
  readonly reach?: (app: OpenApp) => void | Promise<void>;
}

const verified = async (app: OpenApp): Promise<void> => {
  app.dispatch(identityPasswordSubmitted('Corr3ct-horse'));
  await settle();
};
const enrolling = (method: 'text' | 'app', path?: string) => async (app: OpenApp) => {
  app.dispatch(enrolmentMethodChosen({ method }));
  await settle();
  await verified(app);
  if (path !== undefined) app.deps.navigation.visit(path);
};

/**
 * A field as browsers and password managers see it: its purpose, its name, its type, the keyboard of a phone with its return key and
 * what it changes by itself, and the value that it starts with. `apart`: it belongs to no form.
 */
export interface Field {
  readonly autocomplete: string;
  readonly name: string;
  readonly type: string;
  readonly enterkeyhint?: string;
  readonly inputmode?: string;
  readonly autocapitalize?: string;
  readonly value?: string;
  readonly place?: 'apart';
}

const hiddenUsername: Field = { autocomplete: 'username', name: 'username', type: 'text', value: 'ada.l' };
const currentPassword: Field = {
  autocomplete: 'current-password',
  name: 'password',
  type: 'password',
  enterkeyhint: 'go',
  autocapitalize: 'none',
};
const hidden = { autocomplete: 'new-password', type: 'password', autocapitalize: 'none' } as const;
const newPassword: readonly Field[] = [
  { ...hidden, name: 'password', enterkeyhint: 'next' },
  { ...hidden, name: 'confirm', enterkeyhint: 'go' },
];
const code: Field = {
  autocomplete: 'one-time-code',
  name: 'otp',
  type: 'text',
  enterkeyhint: 'go',
  inputmode: 'numeric',
  autocapitalize: 'none',
};
/** The e-mail is shown, and is not the name of the login. */
const proofOfIdentity: readonly Field[] = [
  { autocomplete: 'off', name: 'email', type: 'email', value: 'ada@example.com', place: 'apart' },
  hiddenUsername,
  currentPassword,
];
const nameField = { type: 'text', place: 'apart', autocapitalize: 'words' } as const;

/** From which file a form comes, and its fields in their order. */
export type FormScreens = Readonly<
  Record<string, Opening & { readonly file: string; readonly fields: readonly Field[] }>
>;

const ofCore: FormScreens = {
  'the username step': {
    path: '/login',
    file: 'auth/sign-in/UsernameStep.tsx',
    fields: [
      {
        autocomplete: 'username',
        name: 'username',
        type: 'text',
        enterkeyhint: 'next',
        autocapitalize: 'none',
      },
    ],
  },
  'the password step': {
    path: '/login',
    reach: (app) => enterUsername(app, 'ada.l'),
    file: 'auth/PasswordForm.tsx',
    fields: [hiddenUsername, currentPassword],
  },
  'the second step': {
    path: '/login',
    reach: (app) => signInWithPassword(app),
    file: 'auth/challenge/EnterCodeForm.tsx',
    fields: [code],
  },
  'verify identity, to turn two-step verification on': {
    path: '/mfa-options',
    signedIn: true,
    reach: (app) => app.dispatch(enrolmentMethodChosen({ method: 'text' })),
    file: 'auth/PasswordForm.tsx',
    fields: proofOfIdentity,
  },
  'verify identity, to change the password': {
    path: '/reset-password-verify',
    signedIn: true,
    file: 'auth/PasswordForm.tsx',
    fields: proofOfIdentity,
  },
  'the phone of a set-up': {
    path: '/mfa-options',
    signedIn: true,
    reach: enrolling('text'),
    file: 'mfa/enrolment/phone/PhoneEnrolment.tsx',
    fields: [
      { autocomplete: 'tel-country-code', name: 'country', type: 'select-one', value: 'US' },
      { autocomplete: 'tel', name: 'phone', type: 'tel', enterkeyhint: 'go' },
    ],
  },
  'the code of a set-up': {
    path: '/mfa-options',
    signedIn: true,
    reach: enrolling('app', '/verification/u_1/'),
    file: 'mfa/enrolment/EnrolmentCode.tsx',
    fields: [code],
  },
  'a forgotten password': {
    path: '/forgot-password',
    file: 'password/forgot/ForgotPassword.tsx',
    fields: [{ autocomplete: 'email', name: 'email', type: 'email', enterkeyhint: 'send' }],
  },
  // The page does not know the account of the link: there is no username to go with the password.
  'a reset by link': {
    path: '/reset-password/h-1',
    file: 'password/save/NewPasswordForm.tsx',
    fields: newPassword,
  },
  'a reset by query': {
    path: '/reset?hash=h-1',
    signedIn: true,
    file: 'password/save/NewPasswordForm.tsx',
    fields: newPassword,
  },
  'an activation': {
    path: '/activate/h-1',
    file: 'password/save/NewPasswordForm.tsx',
    // A new account: without a name of its own, the password would be kept under the last name.
    fields: [
      { ...nameField, autocomplete: 'given-name', name: 'firstName', enterkeyhint: 'next' },
      { ...nameField, autocomplete: 'family-name', name: 'lastName', enterkeyhint: 'go' },
      { ...hiddenUsername, value: '' },
      ...newPassword,
    ],
  },
  'a change of the password': {
    path: '/reset-password-verify',
    signedIn: true,
    reach: verified,
    file: 'password/save/NewPasswordForm.tsx',
    fields: [hiddenUsername, ...newPassword],
  },
};

/** Every screen with a form, for ada.l, whose e-mail is another. Each extension has its own in `formScreens.ts` of its tests. */
export const formScreens = Object.assign(
  {},
  ofCore,
  ...(partsOfFeatures('formScreens.ts') as { formScreens: FormScreens }[]).map((part) => part.formScreens),
) as FormScreens;
