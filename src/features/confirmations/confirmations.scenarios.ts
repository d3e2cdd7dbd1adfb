import { sessionMessages } from '@features/session';
import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools } from '@shared/scenario';
import { confirmationMessages } from './confirmations.messages';
import {
  codeEntryRestarted,
  codeRejected,
  codeSubmitted,
  confirmationEntered,
  confirmationLoaded,
  reducer,
  confirmationUnreached,
  newCodeRequested,
  newCodeSent,
  passkeyGiven,
  passkeyRequested,
  paymentDeclined,
  textRequested,
  textSent,
  type ConfirmationsState,
  type Ending,
  type Methods,
  type Payment,
} from './confirmations.slice';

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

function scenarios({
  alerted,
  at,
  signedIn,
}: ScenarioTools): ScenariosOf<'confirmations', ConfirmationsState> {
  const opened = (words: GivenWords) => [signedIn(words), at('/confirm/id'), confirmationEntered()];
  const asked = (payment = invoice, methods: Methods = { passkey: true, text: true }) => [
    confirmationLoaded({ status: 'open', payment, methods }),
  ];
  const sent = [...asked(), textRequested(), textSent({ lastFourPhone: '0143' })];
  const after =
    (...events: readonly ReturnType<typeof alerted>[]) =>
    (words: GivenWords) => [...opened(words), ...events];
  const ended = (status: Ending) =>
    after(confirmationLoaded({ status, payment: invoice, methods: { passkey: true, text: true } }));
  const { error, passkeyError } = confirmationMessages;
  return {
    'confirmations/loading': { slow: opened },
    'confirmations/asking': {
      'every method': after(...asked()),
      passkey: after(...asked(plain, { passkey: true, text: false })),
      'text message': after(...asked(plain, { passkey: false, text: true })),
      'no method': after(...asked(plain, { passkey: false, text: false })),
      'long names': after(...asked(long)),
      code: after(...sent),
      'another code': after(...sent, newCodeRequested(), newCodeSent()),
      'after a wrong code': after(...sent, codeSubmitted(''), codeRejected(), codeEntryRestarted()),
    },
    'confirmations/preparing': {
      passkey: after(...asked(), passkeyRequested()),
      'text message': after(...asked(), textRequested()),
    },
    'confirmations/deciding': {
      passkey: after(...asked(), passkeyRequested(), passkeyGiven()),
      code: after(...sent, codeSubmitted('')),
      decline: after(...asked(), paymentDeclined()),
    },
    'confirmations/rejected': { code: after(...sent, codeSubmitted(''), codeRejected()) },
    'confirmations/confirmed': { confirmed: ended('confirmed') },
    'confirmations/declined': { declined: ended('declined') },
    'confirmations/failed': { failed: ended('failed') },
    'confirmations/expired': { expired: ended('expired') },
    'confirmations/unreached': { failed: after(confirmationUnreached()) },
    'dialogs/confirmationError': {
      fallback: () => [alerted(error, sessionMessages.fallback)],
      passkey: () => [alerted(passkeyError, passkeyError.message, 'unreachable')],
    },
  };
}

/** Scenarios of `/confirm/{id}`. */
export const confirmationsScenarios: FeatureScenarios = { reducer, scenarios };
