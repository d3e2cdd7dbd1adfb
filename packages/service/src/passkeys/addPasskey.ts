import type {
  PasskeyAddOptionsRequest,
  PasskeyAddRequest,
  PasskeyCreationOptions,
  PasskeyEntry,
} from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { clientDetailsOf } from '../core/audit/clientDetails.ts';
import { sessionEnded } from '../core/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { PasskeyContext } from './settings.ts';
import { passkeyTables } from './tables.ts';
import { passkeyEvents } from './events.ts';
import { checkIdentityToken, closeIdentityChecks } from '../session/identityTokens.ts';
import { expectOpenSession } from '../session/openSession.ts';
import { isDecoy, issueChallenge, mostPasskeys, relyingParty, takeChallenge } from './challenges.ts';
import { takeOffer } from './offers.ts';
import { entryOf, nameFrom, passkeysOf, userHandleOf } from './passkeys.ts';
import { descriptorOf, findKey } from './usePasskey.ts';
import { algorithms, verifyCreation } from './webauthn.ts';
import { passkeyRefused } from './errors.ts';

/**
 * `POST /auth/v1/passkeys/add/options`, of the extension `passkeys`.
 *
 * @throws ServiceError 401 `invalid_verification` without a proof or an offer; `passkey_refused` for a user who has the most
 * passkeys.
 */
export async function startPasskeyAddition(
  context: PasskeyContext,
  bearer: SessionBearer,
  request: PasskeyAddOptionsRequest,
): Promise<PasskeyCreationOptions> {
  const { db, settings } = context;
  const { rpId: id } = relyingParty(context);
  const isAutomatic = 'passkeyOffer' in request;
  const latestEnd = isAutomatic ? await takeOffer(context, bearer, request.passkeyOffer) : undefined;
  const { method, element } = isAutomatic
    ? { method: 'offer', element: null }
    : await checkIdentityToken(context, bearer, request.authVerificationToken);
  const user = await db
    .selectFrom('users')
    .select(['username', 'first_name'])
    .where('uid', '=', bearer.uid)
    .executeTakeFirst();
  if (user === undefined) throw sessionEnded('unauthorized');
  const present = await passkeysOf(db, bearer.uid);
  if (present.length >= mostPasskeys) throw passkeyRefused();
  const purpose = isAutomatic ? 'add-offered' : 'add';
  const facts = { latestEnd, proof: { method, element } };
  const { challengeToken, challenge, timeout } = issueChallenge(context, purpose, bearer.sessionId, facts);
  return {
    challengeToken,
    publicKey: {
      challenge,
      timeout,
      rp: { id, name: settings.productName },
      user: {
        id: await userHandleOf(db, bearer.uid),
        name: user.username,
        displayName: user.first_name,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        // Browsers cannot verify the user for an automatic passkey. Each use of it is verified.
        userVerification: isAutomatic ? 'preferred' : 'required',
      },
      excludeCredentials: present.map(descriptorOf),
    },
  };
}

/**
 * `POST /auth/v1/passkeys/add`. The challenge proves that its options were permitted.
 *
 * @throws ServiceError 400 `challenge_expired`; 401 `passkey_refused`, also for a key that is registered already.
 */
export async function addPasskey(
  context: PasskeyContext,
  { uid, sessionId }: SessionBearer,
  { challengeToken, credential, name }: PasskeyAddRequest,
): Promise<PasskeyEntry> {
  const { db, settings, audit, slots } = context;
  const party = relyingParty(context);
  const chosen = name === undefined ? defaultName(context) : nameFrom(name);
  const {
    challenge,
    purpose,
    proof = { method: 'unknown' },
  } = await takeChallenge(
    context,
    challengeToken,
    (one) => (one.purpose === 'add' || one.purpose === 'add-offered') && one.subject === sessionId,
  );
  const isAutomatic = purpose === 'add-offered';
  const key = await verifyCreation(party, challenge, credential, isAutomatic);
  const { secret } = await findKey(db, credential.id);
  if (key === null || isDecoy(secret, credential.id)) throw passkeyRefused();
  const entry = await withUserLocked(db, uid, async (trx) => {
    await expectOpenSession(trx, { sessionId });
    if ((await passkeysOf(trx, uid)).length >= mostPasskeys) throw passkeyRefused();
    const row = { ...key, uid, name: chosen, created_at: new Date(settings.now()), last_used_at: null };
    const element = { uid, element: key.credential_id, proof, isUnverified: isAutomatic };
    // First, because it reads the elements that the user has so far.
    await slots.elementsAdded({ ...context, db: trx }, [element]);
    const added = await passkeyTables(trx)
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('uid')
      .executeTakeFirst();
    if (added === undefined) throw passkeyRefused();
    // An automatic passkey must not interrupt the user.
    if (!isAutomatic) await closeIdentityChecks(trx, uid);
    await audit.record(trx, {
      event: passkeyEvents['passkey-added'],
      outcome: 'success',
      uid,
      about: key.credential_id,
    });
    return entryOf(row);
  });
  if (entry === null) throw sessionEnded('unauthorized');
  return entry;
}

/** The default name of a passkey, such as 'Firefox on Windows'. */
function defaultName({ audit }: PasskeyContext): string {
  const { browser, system } = clientDetailsOf(audit.origin);
  const parts = [browser?.replace(/ \d+$/, '') ?? '', system ?? ''].filter((part) => part !== '');
  return parts.join(' on ') || 'Passkey';
}
