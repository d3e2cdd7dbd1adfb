import { isRefusalStatus } from '@vestibule/client/refreshLimits';

/**
 * A failed call. `kind` says whose fault it is, as far as can be told:
 * - `network`: no response (offline, refused, reset, blocked by CORS)
 * - `timeout`: no response within the time limit
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
    /** `cause` is a chunk that could not be loaded. A reload may help. */
    options?: ErrorOptions,
  ) {
    // The message contains no text of the server, because it is logged.
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

/** The trouble as a property that can be spread into a dialog. */
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
