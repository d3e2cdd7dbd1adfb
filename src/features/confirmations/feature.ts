import { createOptionalChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { confirmationsScenarios } from './confirmations.scenarios';

/** See docs/behaviour.md#payments. */
export const confirmations = {
  name: 'confirmations',
  routes: {
    confirmPayment: {
      pattern: '/confirm/:confirmation',
      returnsAfterLogin: true,
      access: 'session',
      chunk: partOf(() => import('./confirmations.saga'), 'confirmPaymentScreen'),
    },
  },
  // Every screen behind `/login` loads it: without the view and its texts.
  late: createOptionalChunk(() => import('./confirmations.slice')),
  calls: { confirmations: () => import(/* webpackChunkName: "extensions" */ './confirmations.calls') },
  signsPayments: true,
  literals: ['currency'],
  personal: ['name', 'account', 'reference'],
  eventTexts: createOptionalChunk(
    () => import(/* webpackChunkName: "extensions" */ './paymentEvents.messages'),
  ),
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: confirmationsScenarios }),
} as const satisfies Feature;
