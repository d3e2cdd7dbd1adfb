import type { Signatures } from '../core/context.ts';
import type { PasskeyContext } from './settings.ts';
import { relyingParty } from './challenges.ts';
import { passkeysOf, useKey } from './passkeys.ts';
import { descriptorOf, findKey } from './usePasskey.ts';
import { verifyAssertion } from './webauthn.ts';

/** Passkeys sign challenges of other capabilities. */
export const signatures: Signatures<PasskeyContext> = {
  keysOf: async ({ db, settings }, uid) =>
    settings.passkeys === undefined
      ? []
      : (await passkeysOf(db, uid)).map((row) => ({
          id: row.credential_id,
          name: row.name,
          addedAt: row.created_at,
          isUsed: row.last_used_at !== null,
        })),
  optionsFor: async (context, uid, ids) => {
    const keys = (await passkeysOf(context.db, uid)).filter((key) => ids.includes(key.credential_id));
    const { rpId } = relyingParty(context);
    return { rpId, userVerification: 'required', allowCredentials: keys.map(descriptorOf) };
  },
  verify: async (context, uid, challenge, credential, types) => {
    const { db, settings } = context;
    if (settings.passkeys === undefined) return null;
    const { key } = await findKey(db, credential.id);
    if (key?.uid !== uid) return null;
    const state = await verifyAssertion(settings.passkeys, challenge, credential, key.public_key, types);
    if (state === null) return null;
    const { rpId } = settings.passkeys;
    return { publicKey: key.public_key, rpId, use: (trx) => useKey({ ...context, db: trx }, key, state) };
  },
};
