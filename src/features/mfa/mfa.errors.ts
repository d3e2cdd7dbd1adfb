import { sessionMessages } from '@features/session';
import type { ApiError } from '@shared/api/apiError';

/** Words for a failed call of the set-up: the server's own, else the app-level fallback message (specification §8). */
export function describeSetupError({ details }: ApiError): string {
  return details.serverMessage ?? sessionMessages.fallback;
}

/**
 * Whether the service refused the code itself (specification §8). A service that names its refusals says so; of one that
 * does not, any refusal of the request counts, but neither too many attempts nor a failure of service or network.
 */
export function isWrongCode({
  kind,
  details: { status = 0, serverCode = 'invalid_code' },
}: ApiError): boolean {
  const isRefusal = kind === 'server' && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRefusal && serverCode === 'invalid_code';
}

/** Whether the service wants identity to be proved again: the proof was used up, or is over. */
export function isProofSpent({ details }: ApiError): boolean {
  return details.serverCode === 'invalid_verification';
}
