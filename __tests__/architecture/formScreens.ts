import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { setupMethodChosen } from '@features/mfa';
import { enterUsername, settle, signInWithPassword, type OpenApp } from '../support/openApp';

/** How a screen is reached. */
export interface Opening {
  readonly path: string;
  readonly signedIn?: boolean;
  /** What has to be done to get to the screen. */
  readonly reach?: (app: OpenApp) => void | Promise<void>;
}

const verified = async (app: OpenApp): Promise<void> => {
  app.dispatch(identityPasswordSubmitted('Corr3ct-horse'));
  await settle();
};
const settingUp = (method: 'sms' | 'qrcode', path?: string) => async (app: OpenApp) => {
  app.dispatch(setupMethodChosen({ method }));
  await settle();
  await verified(app);
  if (path !== undefined) app.deps.navigation.visit(path);
};

/** A field as password managers see it: its purpose, and the name whose password it is. */
export type Field = readonly [autocomplete: string, type: string, value?: string];

const newPassword: Field = ['new-password', 'password'];
/** Six boxes, and behind them the library's own field, which a whole code may be filled into. */
const codeBoxes: readonly Field[] = [
  ['one-time-code', 'text'],
  ...Array<Field>(5).fill(['off', 'text']),
  ['one-time-code', 'text'],
];

/** Every screen with a form, from which file it comes, and the fields that it must have, in their order. */
export const formScreens: Readonly<
  Record<string, Opening & { readonly file: string; readonly fields: readonly Field[] }>
> = {
  'the username step': {
    path: '/login',
    file: 'auth/sign-in/UsernameStep.tsx',
    fields: [['username', 'text']],
  },
  'the password step': {
    path: '/login',
    reach: (app) => enterUsername(app, 'ada.l'),
    file: 'auth/sign-in/MethodStep.tsx',
    fields: [
      ['username', 'text', 'ada.l'],
      ['current-password', 'password'],
    ],
  },
  'the second step': {
    path: '/login',
    reach: (app) => signInWithPassword(app),
    file: 'auth/challenge/EnterCodeForm.tsx',
    fields: codeBoxes,
  },
  'verify identity, to turn two-step verification on': {
    path: '/mfa-options',
    signedIn: true,
    reach: (app) => app.dispatch(setupMethodChosen({ method: 'sms' })),
    file: 'auth/verify-identity/VerifyIdentityForm.tsx',
    fields: [
      ['username', 'email', 'ada@example.com'],
      ['current-password', 'password'],
    ],
  },
  'verify identity, to change the password': {
    path: '/reset-password-verify',
    signedIn: true,
    file: 'auth/verify-identity/VerifyIdentityForm.tsx',
    fields: [
      ['username', 'email', 'ada@example.com'],
      ['current-password', 'password'],
    ],
  },
  'the phone of a set-up': {
    path: '/mfa-options',
    signedIn: true,
    reach: settingUp('sms'),
    file: 'mfa/setup/phone/PhoneSetup.tsx',
    fields: [
      ['tel-country-code', 'select-one', 'US'],
      ['tel', 'tel'],
    ],
  },
  'the code of a set-up': {
    path: '/mfa-options',
    signedIn: true,
    reach: settingUp('qrcode', '/verification/u_1/'),
    file: 'mfa/setup/code/SetupCode.tsx',
    fields: codeBoxes,
  },
  'a forgotten password': {
    path: '/forgot-password',
    file: 'password/forgot/ForgotPassword.tsx',
    fields: [['username', 'email']],
  },
  // The page does not know the account of the link: there is no username to go with the password.
  'a reset by link': {
    path: '/reset-password/h-1',
    file: 'password/save/NewPasswordForm.tsx',
    fields: [newPassword, newPassword],
  },
  'a reset by query': {
    path: '/reset?hash=h-1',
    signedIn: true,
    file: 'password/save/NewPasswordForm.tsx',
    fields: [newPassword, newPassword],
  },
  'an activation': {
    path: '/activate/h-1',
    file: 'password/save/NewPasswordForm.tsx',
    fields: [['given-name', 'text'], ['family-name', 'text'], newPassword, newPassword],
  },
  'a change of the password': {
    path: '/reset-password-verify',
    signedIn: true,
    reach: verified,
    file: 'password/save/NewPasswordForm.tsx',
    fields: [['username', 'text', 'ada@example.com'], newPassword, newPassword],
  },
};
