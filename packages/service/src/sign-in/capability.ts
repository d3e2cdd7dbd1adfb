import type { Capability } from '../capability.ts';
import { createToken } from './createToken.ts';
import { loginMethods } from './loginMethods.ts';
import { signInTexts } from './signIn.messages.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'sign-in': EventKinds;
    'password-rehashed': EventKinds;
  }
}

/** Sign-in: the methods of a username, and the token call. */
export const signIn: Capability = {
  name: 'sign-in',
  operations: {
    getLoginMethods: (context, { params }) => loginMethods(context, params.username),
    createToken: (context, { body }) => createToken(context, body),
  },
  auditEvents: {
    'sign-in': {
      activity: 'signed-in',
      activityOfFailure: 'sign-in-failed',
      notice: 'new-device',
      countedFromZero: { unavailable: ['google', 'microsoft'] },
    },
    'password-rehashed': {},
  },
  noticeTexts: { 'new-device': signInTexts.newDevice },
};
