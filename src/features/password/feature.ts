import { createChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';

const save = () => import('./save/newPassword.saga');

/** Forgot, reset, activate and change. */
export const password = {
  name: 'password',
  late: createChunk(() => import(/* webpackChunkName: "screens" */ './late')),
  routes: {
    forgotPassword: {
      pattern: '/forgot-password',
      access: 'public',
      chunk: partOf(() => import('./forgot/forgot.saga'), 'forgotScreen'),
    },
    resetPassword: {
      pattern: '/reset-password/:hash',
      isLink: true,
      access: 'public',
      chunk: partOf(save, 'resetByLinkScreen'),
    },
    reset: { pattern: '/reset', access: 'session', chunk: partOf(save, 'resetByQueryScreen') },
    activate: {
      pattern: '/activate/:hash',
      isLink: true,
      access: 'public',
      chunk: partOf(save, 'activateScreen'),
    },
    changePassword: {
      pattern: '/reset-password-manual',
      access: 'session',
      chunk: partOf(save, 'changePasswordScreen'),
    },
  },
} as const satisfies Feature;
