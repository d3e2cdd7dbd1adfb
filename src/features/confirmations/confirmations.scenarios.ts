import { sessionMessages } from '@features/session';
import type { AllowedUrl } from '@shared/ports/ports';
import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools, Variants } from '@shared/scenario';
import { confirmationMessages } from './confirmations.messages';
import { confirmationsReducer, type ConfirmationsState } from './confirmations.reducer';
import {
  confirmPayment,
  confirmationEntered,
  confirmationLoaded,
  confirmationUnreached,
  identityRequested,
  identityVerified,
  timeCounted,
  type Ending,
  type Methods,
  type Payment,
} from './confirmations.slice';
import { elementMessages } from './elements.messages';
import { elementPermitted, elementsLoaded, type WaitingElement } from './elements.slice';
import {
  codeEntryRestarted,
  codeRejected,
  codeSubmitted,
  newCodeRequested,
  newCodeSent,
  passkeyGiven,
  passkeyRequested,
  paymentDeclined,
  permissionRequested,
  textRequested,
  textSent,
} from './proof.slice';

const invoice: Payment = {
  application: { name: 'Ledger' },
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH', account: 'DE02 1203 0000 0000 2020 51' },
  reference: 'Invoice 2026-114',
};
const plain: Payment = { ...invoice, payee: { name: 'Northwind GmbH' }, reference: null };
const long: Payment = {
  application: { name: 'NorthwindTraders'.repeat(4) },
  amount: { value: '9999999999999.99', currency: 'EUR' },
  payee: { name: 'שלום Northwind'.repeat(5), account: 'DE02120300000000202051'.repeat(3) },
  reference: 'Rechtsschutzversicherungsgesellschaften'.slice(0, 35).repeat(2),
};

const readAt = 1_795_536_300_000;
const soon = '2026-11-24T16:20:00Z';
const tomorrow = '2026-11-25T16:05:00Z';
const every: Methods = { passkey: true, text: true };
const none: Methods = { passkey: false, text: false };

type Loaded = Parameters<typeof confirmationLoaded>[0];
const loaded = (changes: Partial<Loaded> = {}) =>
  confirmationLoaded({
    status: 'open',
    confirmationId: 'id',
    payment: invoice,
    methods: every,
    waiting: {},
    blockedUntil: null,
    needsIdentity: false,
    returnUrl: 'https://ledger.example.com/payments/114' as AllowedUrl,
    readAt,
    expiresAt: readAt + 299_000,
    secondsLeft: 299,
    ...changes,
  });

const passkey: WaitingElement = {
  method: 'passkey',
  credentialId: 'laptop',
  name: 'Firefox on Windows',
  confirmsFrom: tomorrow,
  needsSignIn: false,
};
const made: WaitingElement = { ...passkey, credentialId: 'made', name: 'Pixel 11', needsSignIn: true };
const phone: WaitingElement = { ...passkey, method: 'text', credentialId: null, name: null };

/** The section 'Payments' of the settings. */
function elementScenarios({ settings, alerted }: ScenarioTools): Readonly<Record<string, Variants>> {
  const waiting =
    (methods: Methods, ...events: readonly ReturnType<typeof alerted>[]) =>
    (words: GivenWords) => [
      ...settings(words),
      elementsLoaded({ waiting: [passkey, made, phone], methods, readAt }),
      ...events,
    ];
  const byText: Methods = { passkey: false, text: true };
  const asked = (methods: Methods) => permissionRequested({ credentialId: 'laptop', methods });
  const sent = [textRequested(), textSent({ lastFourPhone: '0143' })];
  return {
    'confirmations.elements/waiting': {
      'no method to permit one': waiting(none),
      'one method': waiting(byText),
      'not by time': (words) => [
        ...settings(words),
        elementsLoaded({
          waiting: [passkey, phone].map((element) => ({ ...element, confirmsFrom: null })),
          ...{ methods: byText, readAt },
        }),
      ],
      'choosing a method': waiting(every, asked(every)),
      'asking for a passkey': waiting(every, asked(every), passkeyRequested()),
      'text message on its way': waiting(byText, asked(byText), textRequested()),
      code: waiting(every, asked(every), ...sent),
      'wrong code': waiting(byText, asked(byText), ...sent, codeSubmitted(''), codeRejected()),
      permitted: (words) => [
        ...settings(words),
        elementsLoaded({ waiting: [passkey, phone], methods: byText, readAt }),
        elementPermitted('laptop'),
      ],
      blocked: waiting(none, alerted(elementMessages.blocked, elementMessages.blocked.message)),
    },
  };
}

function scenarios(
  tools: ScenarioTools,
): ScenariosOf<'confirmations', Pick<ConfirmationsState, 'payment' | 'proof'>> {
  const { alerted, at, signedIn, verifying } = tools;
  const opened = (words: GivenWords) => [signedIn(words), at('/confirm/id'), confirmationEntered()];
  const after =
    (...events: readonly ReturnType<typeof alerted>[]) =>
    (words: GivenWords) => [...opened(words), ...events];
  const sent = [loaded(), textRequested(), textSent({ lastFourPhone: '0143' })];
  const ended = (status: Ending) => after(loaded({ status }));
  const unreached = after(confirmationUnreached());
  const { error, passkeyError } = confirmationMessages;
  return {
    'confirmations.payment/loading': { slow: opened },
    'confirmations.payment/open': {
      'time running out': after(loaded(), timeCounted(30)),
      'a passkey waits': after(loaded({ methods: { ...none, text: true }, waiting: { passkey: soon } })),
      'every method waits': after(
        loaded({ methods: none, waiting: { passkey: tomorrow, text: tomorrow }, payment: plain }),
      ),
      blocked: after(loaded({ methods: none, blockedUntil: soon })),
    },
    'confirmations.payment/verifying': {
      'verify identity': (words) => [
        ...opened(words),
        loaded({ needsIdentity: true }),
        identityRequested({ by: 'passkey' }),
        ...verifying(confirmPayment),
      ],
    },
    'confirmations.payment/verified': {
      'reading again': after(
        loaded({ needsIdentity: true }),
        identityRequested({ by: 'passkey' }),
        identityVerified(),
      ),
    },
    'confirmations.payment/confirmed': { confirmed: ended('confirmed') },
    'confirmations.payment/declined': { declined: ended('declined') },
    'confirmations.payment/failed': {
      failed: ended('failed'),
      'no way back': after(loaded({ status: 'failed', returnUrl: null })),
      'long names': after(loaded({ status: 'failed', payment: long })),
    },
    'confirmations.payment/expired': { expired: ended('expired') },
    'confirmations.payment/unreached': { failed: unreached },
    'confirmations.proof/none': { 'without a payment': unreached },
    'confirmations.proof/asking': {
      'every method': after(loaded()),
      passkey: after(loaded({ payment: plain, methods: { passkey: true, text: false } })),
      'text message': after(loaded({ payment: plain, methods: { passkey: false, text: true } })),
      'no method': after(loaded({ payment: plain, methods: none })),
      'long names': after(loaded({ payment: long })),
      code: after(...sent),
      'another code': after(...sent, newCodeRequested(), newCodeSent()),
      'after a wrong code': after(...sent, codeSubmitted(''), codeRejected(), codeEntryRestarted()),
    },
    'confirmations.proof/preparing': {
      passkey: after(loaded(), passkeyRequested()),
      'text message': after(loaded(), textRequested()),
    },
    'confirmations.proof/deciding': {
      passkey: after(loaded(), passkeyRequested(), passkeyGiven()),
      code: after(...sent, codeSubmitted('')),
      decline: after(loaded(), paymentDeclined()),
    },
    'confirmations.proof/rejected': { code: after(...sent, codeSubmitted(''), codeRejected()) },
    'dialogs/confirmationError': {
      fallback: () => [alerted(error, sessionMessages.fallback)],
      passkey: () => [alerted(passkeyError, passkeyError.message, 'unreachable')],
    },
    ...elementScenarios(tools),
  };
}

/** Scenarios of `/confirm/{id}`, and of the section 'Payments'. */
export const confirmationsScenarios: FeatureScenarios = { reducer: confirmationsReducer, scenarios };
