import type { Kysely } from 'kysely';
import type {
  PasskeyAssertionRequest,
  PasskeyRequestOptions,
  PasskeySignInOptionsRequest,
  TokenResponse,
  ValidatePasswordResponse,
} from '@vestibule/contract/schema';
import { sessionEvents } from '../session/events.ts';
import { identityEvents } from '../identity/events.ts';
import { recordOf, verificationMethodOf } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Tables } from '../core/database/tables.ts';
import { noAccess, sessionEnded } from '../core/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { PasskeyContext } from './settings.ts';
import { passkeyTables } from './tables.ts';
import { issueIdentityToken } from '../session/identityTokens.ts';
import { startSession } from '../session/startSession.ts';
import { issueSetupToken } from '../sign-in/verifiedSignIn.ts';
import {
  credentialsOf,
  isDecoy,
  issueChallenge,
  relyingParty,
  subjectOf,
  takeChallenge,
  type PasskeyChallenge,
} from './challenges.ts';
import { passkeysOf, useKey } from './passkeys.ts';
import { keyOfDecoys, verifyAssertion, type KeyState } from './webauthn.ts';
import type { PasskeyRow } from './tables.ts';
import { passkeyRefused, unknownCredential } from './errors.ts';

/** `POST /auth/v1/passkeys/sign-in/options`, of the extension `passkeys`. */
export async function startPasskeySignIn(
  context: PasskeyContext,
  { username }: PasskeySignInOptionsRequest,
): Promise<PasskeyRequestOptions> {
  relyingParty(context);
  if (username === undefined) return optionsOf(context, 'sign-in', null, []);
  const { subject, ids } = await credentialsOf(context.db, username);
  const listed = ids.map((id) => ({ id, type: 'public-key' as const }));
  return optionsOf(context, 'sign-in', subject, listed);
}

/** `POST /auth/v1/passkeys/verify/options`. */
export async function startPasskeyVerification(
  context: PasskeyContext,
  { uid, sessionId }: SessionBearer,
): Promise<PasskeyRequestOptions> {
  relyingParty(context);
  return optionsOf(context, 'verify', sessionId, (await passkeysOf(context.db, uid)).map(descriptorOf));
}

type Descriptors = NonNullable<PasskeyRequestOptions['publicKey']['allowCredentials']>;

function optionsOf(
  context: PasskeyContext,
  purpose: PasskeyChallenge['purpose'],
  subject: string | null,
  allowCredentials: Descriptors,
): PasskeyRequestOptions {
  const { challengeToken, ...publicKey } = issueChallenge(context, purpose, subject);
  return { challengeToken, publicKey: { ...publicKey, userVerification: 'required', allowCredentials } };
}

export function descriptorOf({
  credential_id,
  transports,
}: Pick<PasskeyRow, 'credential_id' | 'transports'>): Descriptors[number] {
  return {
    id: credential_id,
    type: 'public-key',
    ...(transports === '' ? {} : { transports: transports.split(',') }),
  };
}

/**
 * `POST /auth/v1/passkeys/sign-in`. The lockout does not apply, as for a provider, because a signature cannot be guessed.
 *
 * @throws ServiceError 400 `challenge_expired`; 401 `passkey_refused`, or `no_access` for a disabled account; 404
 * `unknown_credential`.
 */
export async function signInWithPasskey(
  context: PasskeyContext,
  { challengeToken, credential }: PasskeyAssertionRequest,
): Promise<TokenResponse> {
  relyingParty(context);
  const { secret, key } = await findKey(context.db, credential.id);
  const owner = key === null ? {} : { uid: key.uid };
  return recordingRefusal(
    context,
    { event: sessionEvents['sign-in'], method: 'passkey', ...owner },
    async () => {
      const challenge = await takeChallenge(context, challengeToken, ({ purpose }) => purpose === 'sign-in');
      const { subject } = challenge;
      if (key === null && !isDecoy(secret, credential.id)) throw unknownCredential();
      const isTheirs = subject === null || subject === subjectOf(secret, key?.username_key ?? '');
      const state = await checkedState(context, challenge, credential, key);
      // Without a username, the handle identifies the user.
      const isNamed = subject !== null || (credential.response.userHandle ?? null) !== null;
      if (state === null || key === null || !isTheirs || !isNamed) throw passkeyRefused();
      return enter(context, key, state);
    },
  );
}

/** Starts a session, or setup mode if a second step has to be set up first: a passkey replaces only the code. */
async function enter(context: PasskeyContext, key: StoredKey, state: KeyState): Promise<TokenResponse> {
  const response = await withUserLocked(context.db, key.uid, async (trx, user) => {
    const own = { ...context, db: trx };
    if (!(await useKey(own, key, state))) throw passkeyRefused();
    const account = await recordOf(trx, user);
    const method = verificationMethodOf(account);
    return account.factors.length === 0 && user.must_set_up_mfa
      ? issueSetupToken(own, user, method, 'passkey')
      : startSession(own, user, method, {
          signedInBy: 'passkey',
          amr: [state.is_synced ? 'swk' : 'hwk', 'user', 'mfa'],
        });
  });
  if (response === null) throw noAccess();
  return response;
}

/**
 * `POST /auth/v1/passkeys/verify`.
 *
 * @throws ServiceError as `signInWithPasskey`.
 */
export function verifyWithPasskey(
  context: PasskeyContext,
  bearer: SessionBearer,
  { challengeToken, credential }: PasskeyAssertionRequest,
): Promise<ValidatePasswordResponse> {
  relyingParty(context);
  const { uid, sessionId } = bearer;
  return recordingRefusal(
    context,
    { event: identityEvents['identity-check'], method: 'passkey', uid },
    async () => {
      const challenge = await takeChallenge(
        context,
        challengeToken,
        ({ purpose, subject }) => purpose === 'verify' && subject === sessionId,
      );
      const { secret, key } = await findKey(context.db, credential.id);
      if (key === null && !isDecoy(secret, credential.id)) throw unknownCredential();
      const state = await checkedState(context, challenge, credential, key);
      if (state === null || key?.uid !== uid) throw passkeyRefused();
      const response = await withUserLocked(context.db, uid, async (trx) => {
        const own = { ...context, db: trx };
        if (!(await useKey(own, key, state))) throw passkeyRefused();
        const authVerificationToken = await issueIdentityToken(own, bearer, {
          method: 'passkey',
          element: key.credential_id,
        });
        await context.audit.record(trx, {
          event: identityEvents['identity-check'],
          outcome: 'success',
          uid,
          method: 'passkey',
        });
        return { authVerificationToken };
      });
      if (response === null) throw sessionEnded('unauthorized');
      return response;
    },
  );
}

type StoredKey = Pick<PasskeyRow, 'credential_id' | 'uid' | 'public_key'> & {
  readonly username_key: string;
  readonly user_handle: string | null;
};

/** One query, whether or not the passkey exists. */
export async function findKey(
  db: Kysely<Tables>,
  id: string,
): Promise<{ readonly secret: string; readonly key: StoredKey | null }> {
  const row = await passkeyTables(db)
    .selectFrom('service_secrets')
    .leftJoin('passkeys', (join) => join.on('credential_id', '=', id))
    .leftJoin('users', 'users.uid', 'passkeys.uid')
    .select(['value', 'credential_id', 'users.uid', 'public_key', 'username_key', 'user_handle'])
    .where('service_secrets.name', '=', 'passkeys')
    .executeTakeFirst();
  if (row === undefined) throw new Error('The database has no secret of passkeys.');
  const { value: secret, credential_id, uid, public_key, username_key, user_handle } = row;
  if (credential_id === null || uid === null || public_key === null || username_key === null)
    return { secret, key: null };
  return { secret, key: { credential_id, uid, public_key, username_key, user_handle } };
}

/** @param key `null` for an id that does not exist, for which the same work is done. */
async function checkedState(
  context: PasskeyContext,
  { challenge }: PasskeyChallenge,
  credential: PasskeyAssertionRequest['credential'],
  key: StoredKey | null,
): Promise<KeyState | null> {
  const publicKey = key?.public_key ?? (await keyOfDecoys());
  const state = await verifyAssertion(relyingParty(context), challenge, credential, publicKey);
  const handle = credential.response.userHandle ?? null;
  return handle === null || handle === key?.user_handle ? state : null;
}
