import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { activateAccount } from './activateAccount.ts';
import { changePassword } from './changePassword.ts';
import { forgotPassword, writeResetMails } from './forgotPassword.ts';
import { resetPassword } from './resetPassword.ts';
import { passwordTexts } from './password.messages.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'password-forgotten': EventKinds;
    'password-reset': EventKinds;
    'password-change': EventKinds;
    activation: EventKinds;
  }
}

/** Sets, resets and changes a password. */
export const password: Capability = {
  name: 'password',
  operations: {
    requestPasswordReset: (context, { body }) => forgotPassword(context, body),
    resetPassword: (context, { body }) =>
      recordingRefusal(context, { event: 'password-reset' }, () => resetPassword(context, body)),
    changePassword: (context, { body, bearer }) =>
      recordingRefusal(context, { event: 'password-change', uid: bearer.uid }, () =>
        changePassword(context, bearer, body),
      ),
    activateAccount: (context, { body }) =>
      recordingRefusal(context, { event: 'activation' }, () => activateAccount(context, body)),
  },
  auditEvents: {
    'password-forgotten': {},
    'password-reset': { activity: 'password-changed', notice: 'password-changed' },
    'password-change': { activity: 'password-changed', notice: 'password-changed' },
    activation: { activity: 'password-changed' },
  },
  noticeTexts: { 'password-changed': passwordTexts.changed },
  mailRequests: { forgot: writeResetMails },
};
