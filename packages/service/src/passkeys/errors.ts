import { Refusal, ServiceError } from '../platform/errors.ts';
import { passkeyTexts } from './passkeys.messages.ts';

/** The challenge of a passkey has expired, was used, or belongs to another purpose, user or session. */
export function challengeExpired(): ServiceError {
  return new ServiceError(400, 'challenge_expired', passkeyTexts.challengeExpired);
}

/** Any passkey whose proof is not valid, or that may not be added. The caller does not learn the reason. */
export function passkeyRefused(): ServiceError {
  return new Refusal(401, 'passkey_refused', passkeyTexts.refused);
}

/** No account has a passkey with this id (any more): browsers and password managers may remove it. */
export function unknownCredential(): ServiceError {
  return new ServiceError(404, 'unknown_credential', passkeyTexts.unknown);
}
