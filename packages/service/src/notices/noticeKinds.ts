import type { AuditEntry, EventKinds } from '../core/audit/audit.ts';
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
export function noticedEventOf(
  { event, outcome, method, uid, sessionId, about, told }: AuditEntry,
  auditEvents: Readonly<Record<string, EventKinds>>,
): NoticedEvent | null {
  // Codes of an enrolment are entered by the signed-in user.
  if (uid === null || outcome === 'pending' || (event === 'lockout' && method === 'setup')) return null;
  const kinds = auditEvents[event] ?? {};
  const kind = outcome === 'failure' ? kinds.noticeOfFailure : kinds.notice;
  return kind === undefined ? null : { kind, uid, sessionId, about, told };
}

/** The topic of the mail about a sign-in, which identifies the mail to be withdrawn. */
export const newDeviceTopic = (sessionId: string): string => `new-device ${sessionId}`;
