import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { guessWarning } from './underLockout.ts';
import { verifyIdentity } from './verifyIdentity.ts';
import { identityTexts } from './identity.messages.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'identity-check': EventKinds;
    lockout: EventKinds;
  }
}

/** Proofs of identity, under the lockout. */
export const identity: Capability = {
  name: 'identity',
  operations: {
    validatePassword: (context, { body, bearer }) =>
      recordingRefusal(context, { event: 'identity-check', uid: bearer.uid }, () =>
        verifyIdentity(context, bearer, body),
      ),
  },
  works: [guessWarning],
  auditEvents: {
    'identity-check': {},
    lockout: {
      activityOfFailure: 'locked',
      noticeOfFailure: 'locked',
      countedFromZero: { failure: ['password', 'challenge', 'setup'] },
    },
  },
  noticeTexts: { locked: identityTexts.locked },
};
