import {
  INVALID_RESPONSE,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
} from 'oauth4webapi';
import {
  noAccess,
  providerTimedOut,
  providerNotSetUp,
  providerUnavailable,
  type ServiceError,
} from '../errors.ts';
import type { Logger } from '../settings/options.ts';
import type { ProviderLogin } from './login.ts';

/** Provider, account and service do not fit together: an administrator's mistake. */
export class ProviderMisconfigured extends Error {
  override readonly name = 'ProviderMisconfigured';
}

/** Refusals of the token call that are about us and not about the code. */
const ourFault: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);
/** An answer came, and what it says of the person does not hold: it may be forged. */
const tokenFaults: ReadonlySet<string | undefined> = new Set([
  INVALID_RESPONSE,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
]);

interface Circumstances {
  readonly login: ProviderLogin;
  readonly logger: Logger;
  readonly timedOut: boolean;
}

/**
 * What the caller is told of a failed exchange; what an administrator should know is logged. Neither holds anything of
 * the code, the verifier or the token: only codes of RFC 6749 §5.2 and the library's own sentences.
 */
export function failureOf(error: unknown, { login, logger, timedOut }: Circumstances): ServiceError {
  const fields = { provider: login.method, reason: reasonOf(error) };
  if (timedOut) {
    logger.warn('provider did not answer in time', fields);
    return providerTimedOut();
  }
  if (error instanceof ProviderMisconfigured) {
    logger.error('provider is misconfigured', fields);
    return providerNotSetUp();
  }
  if (error instanceof ResponseBodyError && error.status < 500 && error.status !== 429) {
    if (ourFault.has(error.error)) {
      logger.error('provider is misconfigured', fields);
      return providerNotSetUp();
    }
    logger.warn('provider refused a code', fields);
    return noAccess();
  }
  if (isUntrusted(error)) {
    logger.error('ID token does not hold', fields);
    return noAccess();
  }
  logger.error('provider failed', fields);
  return providerUnavailable();
}

/** A token without a signature, or with one of a kind without public keys, is 'unsupported'. */
function isUntrusted(error: unknown): boolean {
  return (
    error instanceof UnsupportedOperationError ||
    (error instanceof OperationProcessingError && tokenFaults.has(error.code))
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'unknown';
  if (error instanceof OperationProcessingError || error instanceof ProviderMisconfigured)
    return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
