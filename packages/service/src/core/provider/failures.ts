import {
  INVALID_RESPONSE,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
} from 'oauth4webapi';
import { noAccess, providerTimedOut, providerNotSetUp, providerUnavailable } from '../errors.ts';
import type { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/settings/options.ts';
import type { ProviderLogin } from './login.ts';

/** The settings of provider, account and service do not match: an administrator's mistake. */
export class ProviderMisconfigured extends Error {
  override readonly name = 'ProviderMisconfigured';
}

/** Error codes of the token request that concern the client registration and not the code. */
const registrationFaults: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);
/** The provider responded, but its statements about the user are invalid: the token may be forged. */
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
 * Maps the error of a failed exchange to the response, and logs the reason for the administrator. Neither contains
 * the code, the verifier or the token: only error codes of RFC 6749 §5.2 and messages of the library.
 */
export function failureOf(error: unknown, { login, logger, timedOut }: Circumstances): ServiceError {
  const fields = { provider: login.method, reason: reasonOf(error) };
  if (timedOut) {
    logger.warn('provider did not respond in time', fields);
    return providerTimedOut();
  }
  if (error instanceof ProviderMisconfigured) {
    logger.error('provider is misconfigured', fields);
    return providerNotSetUp();
  }
  if (error instanceof ResponseBodyError && error.status < 500 && error.status !== 429) {
    if (registrationFaults.has(error.error)) {
      logger.error('provider is misconfigured', fields);
      return providerNotSetUp();
    }
    logger.warn('provider refused a code', fields);
    return noAccess();
  }
  if (isUntrusted(error)) {
    logger.error('ID token is not valid', fields);
    return noAccess();
  }
  logger.error('provider failed', fields);
  return providerUnavailable();
}

/** The library reports a token without a signature, or with a symmetric one, as 'unsupported'. */
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
