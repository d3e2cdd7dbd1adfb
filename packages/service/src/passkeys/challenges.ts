import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { noSuchCall } from '../platform/errors.ts';
import { isTrustedKey } from '../core/keys/signingKeys.ts';
import { spend } from '../core/spentProofs.ts';
import type { IdentityProof } from '../core/context.ts';
import type { PasskeyContext } from './settings.ts';
import { passkeyTables } from './tables.ts';
import type { PasskeyOptions } from './settings.ts';
import { challengeExpired } from './errors.ts';

const tokenType = 'passkey-challenge+jwt';

/** A challenge, with all that its response is bound to. */
export interface PasskeyChallenge {
  readonly purpose: 'sign-in' | 'verify' | 'add' | 'add-offered';
  /** Random, base64url. */
  readonly challenge: string;
  readonly rpId: string;
  /** For a sign-in the digest of the username, or `null` for any username; otherwise the id of the session. */
  readonly subject: string | null;
  /** How the user was verified, where a passkey is added after that. */
  readonly proof?: IdentityProof;
}

/** @throws ServiceError 404 `not_found` in a deployment without passkeys. */
export function relyingParty({ settings }: PasskeyContext): PasskeyOptions {
  if (settings.passkeys === undefined) throw noSuchCall();
  return settings.passkeys;
}

/**
 * Issues a challenge. Nothing is stored, so that any number of these calls costs the database nothing.
 *
 * @param subject see `PasskeyChallenge`.
 * @param latestEnd milliseconds since 1970; the challenge expires then, if not before.
 */
export function issueChallenge(
  context: PasskeyContext,
  purpose: PasskeyChallenge['purpose'],
  subject: string | null,
  {
    latestEnd = Infinity,
    proof,
  }: Pick<PasskeyChallenge, 'proof'> & { readonly latestEnd?: number | undefined } = {},
): {
  readonly challengeToken: string;
  readonly challenge: string;
  readonly rpId: string;
  /** Milliseconds. */
  readonly timeout: number;
} {
  const { settings, tokens } = context;
  const { rpId } = relyingParty(context);
  const challenge = randomBytes(32).toString('base64url');
  const now = settings.now();
  const timeout = Math.min(settings.challengeSeconds * 1000, latestEnd - now);
  const expiresAt = new Date(now + timeout);
  const challengeToken = tokens.sign(
    tokenType,
    { purpose, challenge, rpId, subject, ...(proof && { proof }) } satisfies PasskeyChallenge,
    expiresAt,
  );
  return { challengeToken, challenge, rpId, timeout };
}

/**
 * Consumes a challenge, even if its response then fails.
 *
 * @param isMeant whether it has the purpose and subject of the call.
 * @throws ServiceError 400 `challenge_expired` for a challenge that is expired, used, or not meant.
 */
export async function takeChallenge(
  context: PasskeyContext,
  token: string,
  isMeant: (challenge: PasskeyChallenge) => boolean,
): Promise<PasskeyChallenge> {
  const { rpId } = relyingParty(context);
  const taken = await takeOnce<PasskeyChallenge>(context, [tokenType, token], (claims) =>
    claims.rpId === rpId && isMeant(claims) ? ['passkey', claims.challenge] : null,
  );
  if (taken === null) throw challengeExpired();
  return taken;
}

/**
 * Consumes a signed token.
 *
 * @param signed its type, and the token. Only the code that reads the type signs it, so the type of the claims is safe.
 * @param spendAs the kind and the value that are spent (`spend`); `null` if the token is not meant.
 * @returns its claims, with `exp` in seconds since 1970; `null` if it is not valid, not meant, or was used, or its key was revoked.
 */
export async function takeOnce<Claims extends object>(
  { db, tokens }: PasskeyContext,
  signed: readonly [type: string, token: string],
  spendAs: (claims: Claims) => readonly [kind: string, value: string] | null,
): Promise<(Claims & { readonly exp: number }) | null> {
  const claims = (await tokens.read(...signed)) as (Claims & ReadClaims) | null;
  const spent = claims === null ? null : spendAs(claims);
  if (claims === null || spent === null) return null;
  const trusted = await db.selectNoFrom(isTrustedKey(claims.kid).as('isTrusted')).executeTakeFirstOrThrow();
  if (!trusted.isTrusted || !(await spend(db, ...spent, new Date(claims.exp * 1000)))) return null;
  return claims;
}

/** What every token has that was read. `exp`: seconds since 1970. */
interface ReadClaims {
  readonly kid: string;
  readonly exp: number;
}

/** The limit of passkeys of a user, and the number of ids that the options of a sign-in list for any username. */
export const mostPasskeys = 10;

/** Lengths of credential ids of common authenticators, in bytes: those of password managers are short, of security keys long. */
const idLengths = [16, 16, 20, 20, 32, 32, 48, 64, 65, 80] as const;

/**
 * The ids of a sign-in for a username: those of its passkeys, filled up with ids that do not exist. These are the same each
 * time. Transports are left out, because they would differ.
 */
export async function credentialsOf(
  db: Kysely<Tables>,
  username: string,
): Promise<{ readonly subject: string; readonly ids: readonly string[] }> {
  // The same query for every username, so that its time does not reveal which exist.
  const rows = await passkeyTables(db)
    .selectFrom('service_secrets')
    .leftJoin('users', (join) => join.on('username_key', '=', usernameKey(username)))
    .leftJoin('passkeys', 'passkeys.uid', 'users.uid')
    .select(['value', 'credential_id'])
    .where('service_secrets.name', '=', 'passkeys')
    .execute();
  const secret = rows[0]?.value ?? '';
  const subject = subjectOf(secret, usernameKey(username));
  const own = rows.flatMap(({ credential_id }) => credential_id ?? []);
  return { subject, ids: [...own, ...decoysOf(secret, subject).slice(own.length)].sort() };
}

/** The digest that represents a username in the token of a challenge. */
export function subjectOf(secret: string, key: string): string {
  return digest(secret, `username:${key}`).toString('base64url');
}

/** The ids that fill up the options of this subject. */
function decoysOf(secret: string, subject: string): readonly string[] {
  return Array.from({ length: mostPasskeys }, (_none, index) => {
    const source = `decoy:${subject}:${index}`;
    const length = idLengths[(digest(secret, source)[31] ?? 0) % idLengths.length] ?? 0;
    const bytes = Buffer.concat([1, 2, 3].map((part) => digest(secret, `${source}:${part}`)));
    const start = bytes.subarray(0, length - markBytes);
    return Buffer.concat([start, markOf(secret, start)]).toString('base64url');
  });
}

/** The length of 64 bits makes it practically impossible that another id has the right mark by chance. */
const markBytes = 8;

/**
 * Whether an id is an invented one, of any username. Calls refuse invented and real ids alike; without the secret the mark looks
 * random.
 */
export function isDecoy(secret: string, id: string): boolean {
  const bytes = Buffer.from(id, 'base64url');
  const mark = bytes.subarray(-markBytes);
  return markOf(secret, bytes.subarray(0, -markBytes)).equals(mark);
}

function markOf(secret: string, start: Buffer): Buffer {
  return digest(secret, `mark:${start.toString('base64url')}`).subarray(0, markBytes);
}

function digest(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text, 'utf8').digest();
}
