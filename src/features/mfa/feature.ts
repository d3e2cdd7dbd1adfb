import { createChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';

const enrolment = () => import('./enrolment/enrolment.saga');

/** Two-step verification. */
export const mfa = {
  name: 'mfa',
  late: createChunk(() => import(/* webpackChunkName: "screens" */ './late')),
  routes: {
    mfaOptions: {
      pattern: '/mfa-options',
      access: 'setup',
      chunk: partOf(() => import('./options/options.saga'), 'optionsScreen'),
    },
    phoneEnrolment: {
      pattern: '/authy-collect-info/:uid',
      access: 'setup',
      chunk: partOf(enrolment, 'phoneScreen'),
    },
    appEnrolment: { pattern: '/qrcode-start/:uid', access: 'setup', chunk: partOf(enrolment, 'appScreen') },
    enrolmentCode: { pattern: '/verification/:uid', access: 'setup', chunk: partOf(enrolment, 'codeScreen') },
    mfaActivated: {
      pattern: '/mfa-activated',
      access: 'setup',
      chunk: partOf(() => import('./activated/activated.saga'), 'activatedScreen'),
    },
  },
} as const satisfies Feature;
