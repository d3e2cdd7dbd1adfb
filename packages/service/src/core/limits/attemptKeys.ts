import { hash } from 'node:crypto';
import { usernameKey } from '../database/usernameKey.ts';

/**
 * The source of an attempt. Several users may share a network (see `networkOf`); a trusted device and a session are
 * counted separately, so that others cannot lock out their user.
 */
export type AttemptSource = readonly [kind: 'network' | 'device' | 'session', id: string];

/**
 * The key by which attempts are counted. Scope and source are digests, so that the table reveals no usernames or
 * addresses.
 */
export interface AttemptKey {
  readonly kind: 'password' | 'challenge' | 'setup';
  /** The secret under attack: the password of a username, or the codes of a user. */
  readonly scope: string;
  /** The digest of the `AttemptSource`, within the scope. */
  readonly sourceDigest: string;
  /** Whether the source is a network, which users may share. */
  readonly isNetwork: boolean;
  /** The user to notify of many failures. */
  readonly uid: string | null;
}

/** The scope of the password of a username, existing or not. */
export function passwordScope(username: string): string {
  return digestOf(`password:${usernameKey(username)}`);
}

/** The scope of codes, per user and not per challenge: anyone who knows the password may open many challenges. */
export function codeScope(kind: 'challenge' | 'setup', uid: string): string {
  return digestOf(`${kind}:${uid}`);
}

export function passwordKey(username: string, uid: string | null, attemptSource: AttemptSource): AttemptKey {
  return keyOf('password', passwordScope(username), uid, attemptSource);
}

/** A code at sign-in. */
export function challengeKey(uid: string, network: string): AttemptKey {
  return keyOf('challenge', codeScope('challenge', uid), uid, ['network', network]);
}

/** A code in a session, counted for this session, so that a stolen session cannot lock out the user. */
export function sessionCodeKey(uid: string, sessionId: string): AttemptKey {
  return keyOf('challenge', codeScope('challenge', uid), uid, ['session', sessionId]);
}

/** A code of an enrolment: counted separately, so that a mistyped one does not affect sign-in. */
export function setupKey(uid: string): AttemptKey {
  const scope = codeScope('setup', uid);
  return { kind: 'setup', scope, sourceDigest: scope, isNetwork: false, uid };
}

function keyOf(
  kind: AttemptKey['kind'],
  scope: string,
  uid: string | null,
  attemptSource: AttemptSource,
): AttemptKey {
  const sourceDigest = digestOf(`${scope}:${attemptSource.join(':')}`);
  return { kind, scope, sourceDigest, isNetwork: attemptSource[0] === 'network', uid };
}

/** SHA-256, hex: a bounded size for any input. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}
