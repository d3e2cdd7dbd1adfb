import { authMessages, verificationLifeMs, verificationStarted } from '@features/auth';
import { verificationExpiring } from '@features/auth/verify-identity/verification.slice';
import { activationConfirmed } from '@features/mfa/activated/activation.slice';
import {
  codeSent,
  enrolmentFailed,
  enrolmentReceived,
  keyCopyEnded,
  phoneRefused,
  phoneSubmitted,
  setupCodeCleared,
  setupCodeRejected,
  setupCodeSubmitted,
  setupMethodChosen,
  setupStepEntered,
  type PhoneEntry,
  type SetupMethod,
} from '@features/mfa/setup/setup.slice';
import { activePhoneLoaded, activePhoneRequested } from '@features/mfa/status/activePhone.slice';
import { forgotEntered, forgotSubmitted, resetLinkSent } from '@features/password/forgot/forgot.slice';
import { passwordMessages } from '@features/password/password.messages';
import {
  newPasswordEntered,
  newPasswordRefused,
  newPasswordSaved,
  newPasswordSubmitted,
} from '@features/password/save/newPassword.slice';
import { profileFailed, profileLoaded, profileRequested } from '@features/session';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { UserAttributes } from '@shared/api/decoders';
import { paths } from '@vestibule/contract/paths';
import { claims, userAttributes } from './builders';
import { at, inSetupMode, signedIn, type GivenWords, type PhaseName, type Variants } from './scenario';

const entry: PhoneEntry = { country: 'US', text: '(202) 555-0143' };
const uid = claims().uid;

const settingUp = (words: GivenWords, method: SetupMethod): readonly UnknownAction[] => [
  signedIn(words),
  setupMethodChosen({ method }),
  verificationStarted({ purpose: 'enable', expiresAt: verificationLifeMs }),
];
const phone = (words: GivenWords): readonly UnknownAction[] => [
  ...settingUp(words, 'sms'),
  at(paths.phoneSetup(uid)),
  setupStepEntered('phone'),
];
const phoneSent = (words: GivenWords): readonly UnknownAction[] => [
  ...phone(words),
  phoneSubmitted({ entry, number: { phone: '+12025550143', countryCode: 'US' } }),
];
const enrolling = (words: GivenWords): readonly UnknownAction[] => [
  ...settingUp(words, 'qrcode'),
  at(paths.appSetup(uid)),
  setupStepEntered('app'),
];
const enrolled = (words: GivenWords): readonly UnknownAction[] => [...enrolling(words), enrolmentReceived()];
const codeOfText = (words: GivenWords): readonly UnknownAction[] => [
  ...phoneSent(words),
  codeSent({ lastFourPhone: '0143' }),
  at(paths.setupCode(uid)),
];
const codeOfApp = (words: GivenWords): readonly UnknownAction[] => [
  ...enrolled(words),
  at(paths.setupCode(uid)),
  setupStepEntered('code'),
];

const settings = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.accountSettings()),
  profileRequested(),
];
const settingsOf = (words: GivenWords, changes: Partial<UserAttributes> = {}) => [
  ...settings(words),
  profileLoaded(userAttributes({ email: words.username, ...changes })),
];
const phoneRequested = (words: GivenWords): readonly UnknownAction[] => [
  ...settingsOf(words, { authyActive: true, lastReset: '2026-11-02T09:30:00Z' }),
  activePhoneRequested(),
];

const forgot = ({ username }: GivenWords): readonly UnknownAction[] => [
  at(paths.forgotPassword()),
  forgotEntered(username),
];
const forgotSent = (words: GivenWords) => [...forgot(words), forgotSubmitted(words.username)];

const newPassword = (...before: readonly UnknownAction[]): readonly UnknownAction[] => [
  ...before,
  newPasswordEntered({ usable: true }),
];
const saving = (...before: readonly UnknownAction[]): readonly UnknownAction[] => [
  ...newPassword(...before),
  newPasswordSubmitted({ password: '', confirm: '' }),
];
const byReset = at(paths.resetPassword('id'));
const byActivation = at(paths.activate('id'));
const byChange = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.changePassword()),
];

type AccountPhase = Extract<PhaseName, `mfa.${string}` | `password.${string}` | `profile/${string}`>;

/** Scenarios of the account settings, setting two-step verification up, and passwords. */
export const accountScenarios = {
  'profile/absent': { 'before the call': (words) => [signedIn(words), at(paths.accountSettings())] },
  'profile/loading': { slow: settings },
  'profile/failed': { failed: (words) => [...settings(words), profileFailed()] },
  'profile/loaded': {
    'authenticator app': (words) => settingsOf(words, { twoFactorActive: true }),
    'without a password': (words) => [...settingsOf(words), signedIn(words, 'other')],
    'set-up mode, off': (words) => [
      inSetupMode(words),
      at(paths.accountSettings()),
      profileRequested(),
      profileLoaded(userAttributes()),
    ],
    'set-up mode, on': (words) => [
      inSetupMode(words),
      at(paths.accountSettings()),
      profileRequested(),
      profileLoaded(userAttributes({ twoFactorActive: true })),
    ],
  },

  'mfa.setup/none': { 'choosing a method': (words) => [signedIn(words), at(paths.mfaOptions())] },
  'mfa.setup/chosen': {
    'choosing a method in set-up mode': (words) => [
      inSetupMode(words),
      at(paths.mfaOptions()),
      setupMethodChosen({ method: 'sms' }),
    ],
  },
  'mfa.setup/phone': {
    empty: phone,
    refused: (words) => [...phone(words), phoneRefused({ country: 'GB', text: '12' })],
    'time running out': (words) => [...phone(words), verificationExpiring()],
  },
  'mfa.setup/sendingPhone': { slow: phoneSent },
  'mfa.setup/enrolling': { slow: enrolling },
  'mfa.setup/enrolmentFailed': {
    failed: (words) => [...enrolling(words), enrolmentFailed({ message: authMessages.errors.fallback })],
  },
  'mfa.setup/enrolled': {
    'key and QR code': enrolled,
    copied: (words) => [...enrolled(words), keyCopyEnded('copied')],
    'copying refused': (words) => [...enrolled(words), keyCopyEnded('refused')],
  },
  'mfa.setup/code': {
    'text message': codeOfText,
    'authenticator app': codeOfApp,
    red: (words) => [...codeOfText(words), setupCodeSubmitted(''), setupCodeRejected()],
    'after a wrong code': (words) => [
      ...codeOfApp(words),
      setupCodeSubmitted(''),
      setupCodeRejected(),
      setupCodeCleared(),
    ],
  },
  'mfa.setup/verifying': { slow: (words) => [...codeOfText(words), setupCodeSubmitted('')] },

  'password.forgot/form': {
    'from the login': () => [at(paths.forgotPassword()), forgotEntered('')],
    'to verify': (words) => [
      signedIn(words),
      at(paths.forgotPassword('?mode=verify')),
      forgotEntered(words.username),
    ],
  },
  'password.forgot/sending': { slow: forgotSent },
  'password.forgot/sent': { sent: (words) => [...forgotSent(words), resetLinkSent()] },

  'password.newPassword/unusable': {
    'without a link': (words) => [signedIn(words), at(paths.reset()), newPasswordEntered({ usable: false })],
  },
  'password.newPassword/editing': {
    reset: () => newPassword(byReset),
    activate: () => newPassword(byActivation),
    change: (words) => newPassword(...byChange(words)),
    'rules not met': () => [
      ...saving(byReset),
      newPasswordRefused({ at: 'password', message: passwordMessages.errors.format }),
    ],
    'not saved': (words) => [
      ...saving(...byChange(words)),
      newPasswordRefused({ at: 'form', message: words.serverMessage }),
    ],
  },
  'password.newPassword/saving': { reset: () => saving(byReset), activate: () => saving(byActivation) },
  'password.newPassword/saved': {
    reset: () => [...saving(byReset), newPasswordSaved()],
    activate: () => [...saving(byActivation), newPasswordSaved()],
    change: (words) => [...saving(...byChange(words)), newPasswordSaved()],
  },
  'mfa.activePhone/absent': { 'two-step off': (words) => settingsOf(words) },
  'mfa.activePhone/requested': { slow: phoneRequested },
  'mfa.activePhone/loaded': {
    'text messages': (words) => [...phoneRequested(words), activePhoneLoaded('0143')],
  },
} as const satisfies Readonly<Record<AccountPhase, Variants>>;

const activated = (method: SetupMethod): readonly UnknownAction[] => [
  at(paths.mfaActivated(method)),
  activationConfirmed(method),
];

/** '2-Step Verification is on', which no phase of a slice stands for. */
export const activatedScenarios: Variants = {
  'text messages': (words) => [...phoneRequested(words), ...activated('sms'), activePhoneLoaded('0143')],
  'authenticator app': (words) => [signedIn(words), ...activated('qrcode')],
  'set-up mode': (words) => [inSetupMode(words), ...activated('qrcode')],
};
