import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { identityEvents } from './events.ts';
import { guessWarning } from './underLockout.ts';
import { verifyIdentity } from './verifyIdentity.ts';
import { identityTexts } from './identity.messages.ts';

/** Proofs of identity, under the lockout. */
export const identity = {
  name: 'identity',
  operations: {
    validatePassword: (context, { body, bearer }) =>
      recordingRefusal(context, { event: identityEvents['identity-check'], uid: bearer.uid }, () =>
        verifyIdentity(context, bearer, body),
      ),
  },
  works: [guessWarning],
  auditEvents: identityEvents,
  noticeTexts: { locked: identityTexts.locked },
} satisfies Capability;
