import { isRefusalStatus } from '@vestibule/client/refreshLimits';

/**
 * A failed call. `kind` says whose fault it is, as far as can be told:
 * - `network`: no response (offline, refused, reset, blocked by CORS)
 * - `timeout`: given up waiting
 * - `server`: a response with a 4xx or 5xx status
 * - `unexpected`: a response with a good status that does not fit the contract (HTML, wrong types)
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly kind: 'network' | 'timeout' | 'server' | 'unexpected',
    readonly details: {
      /** HTTP status; absent without a response. */
      readonly status?: number;
      /** `error.message` of the response, as text, at most 300 characters (docs/behaviour.md#errors). */
      readonly serverMessage?: string;
      /** `error.code` of the response: for telling refusals apart, never for showing. */
      readonly serverCode?: string;
      /** `Retry-After`, in milliseconds from now. */
      readonly retryAfterMs?: number;
    } = {},
    /** `cause`: a chunk that could not be fetched, which a reload may mend. */
    options?: ErrorOptions,
  ) {
    // No server text here: an error's message ends up in logs.
    super(
      `api call failed: ${kind}${details.status === undefined ? '' : ` ${String(details.status)}`}`,
      options,
    );
  }
}

/** Whether the service refused the request, so that it need not be made again. */
export function isRefusal({ details: { status = 0 } }: ApiError): boolean {
  return isRefusalStatus(status);
}

/** Why a call failed without the user's fault: there was no response, or a 5xx. */
export type Trouble = 'unreachable' | 'failing';

/** To be spread into a dialog. */
export function troubleOf({ kind, details: { status = 0 } }: ApiError): { readonly trouble?: Trouble } {
  if (kind === 'network' || kind === 'timeout') return { trouble: 'unreachable' };
  return status >= 500 ? { trouble: 'failing' } : {};
}

/**
 * Whether a chunk of the application could not be fetched, as webpack and its style loader report it: the network failed,
 * or a deployment has removed it from the host.
 */
export function isChunkLoadError(error: unknown): error is Error & { readonly request?: string } {
  if (!(error instanceof Error)) return false;
  return error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED');
}
