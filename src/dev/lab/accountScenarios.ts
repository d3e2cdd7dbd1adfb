import { sessionMessages } from '@features/session';
import { verificationLifeMs, verificationStarted } from '@features/auth';
import { verificationExpiring } from '@features/auth/verify-identity/verification.slice';
import { activationConfirmed } from '@features/mfa/activated/activation.slice';
import {
  codeSent,
  keyFailed,
  keyReceived,
  keyCopyEnded,
  phoneRefused,
  phoneSubmitted,
  enrolmentCodeCleared,
  enrolmentCodeRejected,
  enrolmentCodeSubmitted,
  enrolmentMethodChosen,
  enrolmentStepEntered,
  type PhoneEntry,
} from '@features/mfa/enrolment/enrolment.slice';
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
import type { TwoStepMethod } from '@shared/api/decoders';
import { paths } from '@vestibule/contract/paths';
import { claims, userAttributes } from './builders';
import type { GivenWords, Variants } from '@shared/scenario';
import { at, inSetupMode, settingsOf, settingsOpened, signedIn } from './scenario';

const entry: PhoneEntry = { country: 'US', text: '(202) 555-0143' };
const uid = claims().uid;

const enrolling = (words: GivenWords, method: TwoStepMethod): readonly UnknownAction[] => [
  signedIn(words),
  enrolmentMethodChosen({ method }),
  verificationStarted({ purpose: 'enable', expiresAt: verificationLifeMs }),
];
const phone = (words: GivenWords): readonly UnknownAction[] => [
  ...enrolling(words, 'text'),
  at(paths.phoneEnrolment(uid)),
  enrolmentStepEntered('phone'),
];
const phoneSent = (words: GivenWords): readonly UnknownAction[] => [
  ...phone(words),
  phoneSubmitted({ entry, number: { phone: '+12025550143', countryCode: 'US' } }),
];
const loadingKey = (words: GivenWords): readonly UnknownAction[] => [
  ...enrolling(words, 'app'),
  at(paths.appEnrolment(uid)),
  enrolmentStepEntered('app'),
];
const keyShown = (words: GivenWords): readonly UnknownAction[] => [...loadingKey(words), keyReceived()];
const codeOfText = (words: GivenWords): readonly UnknownAction[] => [
  ...phoneSent(words),
  codeSent({ lastFourPhone: '0143' }),
  at(paths.enrolmentCode(uid)),
];
const codeOfApp = (words: GivenWords): readonly UnknownAction[] => [
  ...keyShown(words),
  at(paths.enrolmentCode(uid)),
  enrolmentStepEntered('code'),
];

const phoneRequested = (words: GivenWords): readonly UnknownAction[] => [
  ...settingsOf(words, { isTextActive: true, lastReset: '2026-11-02T09:30:00Z' }),
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

/** Scenarios of the account settings, setting two-step verification up, and passwords. */
export const accountScenarios = {
  'session.profile/absent': { 'before the call': (words) => [signedIn(words), at(paths.accountSettings())] },
  'session.profile/loading': { slow: settingsOpened },
  'session.profile/failed': { failed: (words) => [...settingsOpened(words), profileFailed()] },
  'session.profile/loaded': {
    'authenticator app': (words) => settingsOf(words, { isAppActive: true }),
    'without a password': (words) => [...settingsOf(words), signedIn(words, 'other')],
    'setup mode, off': (words) => [
      inSetupMode(words),
      at(paths.accountSettings()),
      profileRequested(),
      profileLoaded(userAttributes()),
    ],
    'setup mode, on': (words) => [
      inSetupMode(words),
      at(paths.accountSettings()),
      profileRequested(),
      profileLoaded(userAttributes({ isAppActive: true })),
    ],
  },

  'mfa.enrolment/none': { 'choosing a method': (words) => [signedIn(words), at(paths.mfaOptions())] },
  'mfa.enrolment/chosen': {
    'choosing a method in setup mode': (words) => [
      inSetupMode(words),
      at(paths.mfaOptions()),
      enrolmentMethodChosen({ method: 'text' }),
    ],
  },
  'mfa.enrolment/phone': {
    empty: phone,
    refused: (words) => [...phone(words), phoneRefused({ country: 'GB', text: '12' })],
    'time running out': (words) => [...phone(words), verificationExpiring()],
  },
  'mfa.enrolment/sendingPhone': { slow: phoneSent },
  'mfa.enrolment/loadingKey': { slow: loadingKey },
  'mfa.enrolment/keyFailed': {
    failed: (words) => [...loadingKey(words), keyFailed({ message: sessionMessages.fallback })],
  },
  'mfa.enrolment/keyShown': {
    'key and QR code': keyShown,
    copied: (words) => [...keyShown(words), keyCopyEnded('copied')],
    'copying refused': (words) => [...keyShown(words), keyCopyEnded('refused')],
  },
  'mfa.enrolment/code': {
    'text message': codeOfText,
    'authenticator app': codeOfApp,
    red: (words) => [...codeOfText(words), enrolmentCodeSubmitted(''), enrolmentCodeRejected()],
    'after a wrong code': (words) => [
      ...codeOfApp(words),
      enrolmentCodeSubmitted(''),
      enrolmentCodeRejected(),
      enrolmentCodeCleared(),
    ],
  },
  'mfa.enrolment/verifying': { slow: (words) => [...codeOfText(words), enrolmentCodeSubmitted('')] },

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
} as const satisfies Readonly<Record<string, Variants>>;

const activated = (method: TwoStepMethod): readonly UnknownAction[] => [
  at(paths.mfaActivated(method)),
  activationConfirmed(method),
];

/** '2-Step Verification is on', which no phase of a slice represents. */
export const activatedScenarios: Variants = {
  'text messages': (words) => [...phoneRequested(words), ...activated('text'), activePhoneLoaded('0143')],
  'authenticator app': (words) => [signedIn(words), ...activated('app')],
  'setup mode': (words) => [inSetupMode(words), ...activated('app')],
};
