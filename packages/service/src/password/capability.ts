import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { passwordEvents } from './events.ts';
import { activateAccount } from './activateAccount.ts';
import { changePassword } from './changePassword.ts';
import { forgotPassword, forgotRequest } from './forgotPassword.ts';
import { resetPassword } from './resetPassword.ts';
import { passwordTexts } from './password.messages.ts';

/** Sets, resets and changes a password. */
export const password = {
  name: 'password',
  operations: {
    requestPasswordReset: (context, { body }) => forgotPassword(context, body),
    resetPassword: (context, { body }) =>
      recordingRefusal(context, { event: passwordEvents['password-reset'] }, () =>
        resetPassword(context, body),
      ),
    changePassword: (context, { body, bearer }) =>
      recordingRefusal(context, { event: passwordEvents['password-change'], uid: bearer.uid }, () =>
        changePassword(context, bearer, body),
      ),
    activateAccount: (context, { body }) =>
      recordingRefusal(context, { event: passwordEvents.activation }, () => activateAccount(context, body)),
  },
  auditEvents: passwordEvents,
  noticeTexts: { 'password-changed': passwordTexts.changed },
  mailRequests: [forgotRequest],
} satisfies Capability;
