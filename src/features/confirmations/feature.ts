import { componentIn, createOptionalChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { confirmationsScenarios } from './confirmations.scenarios';

const screen = () => import('./confirmations.saga');
const late = createOptionalChunk(() => import('./index'));

/** See docs/behaviour.md#payments. */
export const confirmations = {
  name: 'confirmations',
  routes: {
    confirmPayment: {
      pattern: '/confirm/:confirmation',
      returnsAfterLogin: true,
      access: 'session',
      chunk: partOf(screen, 'confirmPaymentScreen'),
    },
  },
  late,
  calls: { confirmations: () => import(/* webpackChunkName: "extensions" */ './confirmations.calls') },
  signsPayments: true,
  literals: ['currency'],
  personal: ['name', 'account', 'reference', 'confirmationId', 'credentialId'],
  Section: componentIn(late, (module) => module.Payments),
  afterFactorChange: async () => (await late.load()).elementsChanged?.(),
  purposes: { 'confirm-payment': async () => (await screen()).proofOfIdentity },
  eventTexts: createOptionalChunk(() => import(/* webpackChunkName: "extensions" */ './paymentEvents')),
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: confirmationsScenarios }),
} as const satisfies Feature;
