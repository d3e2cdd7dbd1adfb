import type { AuditEntry } from '../core/audit/audit.ts';
import { identityEvents } from '../identity/events.ts';
import type { Text } from '../platform/texts/texts.ts';

/** An event about which the owner of an account is asked. */
export interface NoticedEvent {
  readonly kind: string;
  readonly uid: string;
  readonly sessionId?: string | undefined;
  readonly about?: string | undefined;
  /** Milliseconds since 1970; absent: now. */
  readonly at?: number;
  /** A further sentence. */
  readonly told?: Text | undefined;
}

/** `null`: the owner gets no mail about it. */
export function noticedEventOf({
  event,
  outcome,
  method,
  uid,
  sessionId,
  about,
  told,
}: AuditEntry): NoticedEvent | null {
  // Codes of an enrolment are entered by the signed-in user.
  if (uid === null || outcome === 'pending' || (event === identityEvents.lockout && method === 'setup'))
    return null;
  const kind = outcome === 'failure' ? event.noticeOfFailure : event.notice;
  return kind === undefined ? null : { kind, uid, sessionId, about, told };
}

/** The topic of the mail about a sign-in, which identifies the mail to be withdrawn. */
export const newDeviceTopic = (sessionId: string): string => `new-device ${sessionId}`;
