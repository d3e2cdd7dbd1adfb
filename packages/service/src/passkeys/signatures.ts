import type { Signatures } from '../platform/serviceContext.ts';
import { passkeysOf, useKey } from './passkeys.ts';
import { descriptorOf, findKey } from './usePasskey.ts';
import { verifyAssertion } from './webauthn.ts';

/** Passkeys sign challenges of other capabilities. */
export const signatures: Signatures = {
  optionsFor: async ({ db, settings }, uid) => {
    const keys = settings.passkeys === undefined ? [] : await passkeysOf(db, uid);
    if (settings.passkeys === undefined || keys.length === 0) return null;
    const { rpId } = settings.passkeys;
    return { rpId, userVerification: 'required', allowCredentials: keys.map(descriptorOf) };
  },
  verify: async ({ db, settings }, uid, challenge, credential, types) => {
    if (settings.passkeys === undefined) return null;
    const { key } = await findKey(db, credential.id);
    if (key?.uid !== uid) return null;
    const state = await verifyAssertion(settings.passkeys, challenge, credential, key.public_key, types);
    if (state === null) return null;
    const { rpId } = settings.passkeys;
    return { publicKey: key.public_key, rpId, use: (trx) => useKey({ db: trx, settings }, key, state) };
  },
};
