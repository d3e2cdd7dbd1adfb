import { createHash } from 'node:crypto';
import { usernameKey } from '../database/usernameKey.ts';

/**
 * Who makes an attempt. A network may be shared (see `networkOf`); a trusted device and a session are counted apart
 * from it, so that no one else can lock out the user they belong to.
 */
export type AttemptSource = readonly [kind: 'network' | 'device' | 'session', id: string];

/** What an attempt is counted by; scope and source are digests, so that the table is no list of usernames or addresses. */
export interface AttemptKey {
  readonly kind: 'password' | 'challenge' | 'setup';
  /** What is guessed at: the password of a username, the codes of a user. */
  readonly scope: string;
  /** Who guesses at it. */
  readonly source: string;
  /** Whether the source is a network, which users may share. */
  readonly isNetwork: boolean;
  /** Whom to tell of many wrong guesses. */
  readonly uid: string | null;
}

/** The password of a username, known or not. */
export function passwordScope(username: string): string {
  return digestOf(`password:${usernameKey(username)}`);
}

/** Per user and not per challenge: who knows the password may open as many challenges as they like. */
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

/** A code of a set-up: apart from those at sign-in, so that a mistyped one does not keep the user from signing in. */
export function setupKey(uid: string): AttemptKey {
  const scope = codeScope('setup', uid);
  return { kind: 'setup', scope, source: scope, isNetwork: false, uid };
}

function keyOf(
  kind: AttemptKey['kind'],
  scope: string,
  uid: string | null,
  attemptSource: AttemptSource,
): AttemptKey {
  const source = digestOf(`${scope}:${attemptSource.join(':')}`);
  return { kind, scope, source, isNetwork: attemptSource[0] === 'network', uid };
}

/** Of a bounded size, for any input. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
