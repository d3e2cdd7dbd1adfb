import type { AuditEntry, AuditEvent } from '../audit/audit.ts';
import type { NoticeKind } from '../mails/notices.ts';

const kinds: Readonly<Partial<Record<AuditEvent, NoticeKind>>> = {
  'sign-in': 'new-device',
  'password-reset': 'password-changed',
  'password-change': 'password-changed',
  'two-step-set': 'mfa-changed',
  'two-step-off': 'mfa-changed',
  'two-step-reset': 'mfa-changed',
  'phone-change': 'phone-changed',
  'passkey-added': 'passkey-added',
  'passkey-removed': 'passkey-removed',
  'recovery-codes-made': 'recovery-codes-made',
  'recovery-code-used': 'recovery-code-used',
  'account-locked': 'locked',
};

const failures: Readonly<Partial<Record<AuditEvent, NoticeKind>>> = {
  'refresh-reuse': 'token-reused',
  lockout: 'locked',
};

/** An event about which the owner of an account is asked. */
export interface NoticedEvent {
  readonly kind: NoticeKind;
  readonly uid: string;
  readonly sessionId?: string | undefined;
  /** Milliseconds since 1970; absent: now. */
  readonly at?: number;
}

/** `null`: the owner gets no mail about it. */
export function noticedEventOf({ event, outcome, method, uid, sessionId }: AuditEntry): NoticedEvent | null {
  // Codes of an enrolment are entered by the signed-in user.
  if (uid === null || outcome === 'pending' || (event === 'lockout' && method === 'setup')) return null;
  const kind = (outcome === 'failure' ? failures : kinds)[event];
  return kind === undefined ? null : { kind, uid, sessionId };
}

/** The topic of the mail about a sign-in, which identifies the mail to be withdrawn. */
export const newDeviceTopic = (sessionId: string): string => `new-device ${sessionId}`;
