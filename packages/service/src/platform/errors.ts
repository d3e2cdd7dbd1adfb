import { httpTexts as words } from './errors.messages.ts';
import type { Text } from './texts/texts.ts';

/** What is wrong with a request, for the server of an application. It never repeats a value. */
export interface FieldFault {
  /** The path, such as `payee.name`; absent: the whole request. */
  readonly field?: string;
  /** A predicate in English, such as 'is missing'. */
  readonly detail: string;
}

/** A failure that is reported to the caller. Any other thrown error becomes a 500 response with `unexpected`. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';

  /**
   * @param status HTTP status, 4xx or 5xx.
   * @param code `error.code` of the contract.
   * @param text shown to the user; never contains what they entered.
   * @param retryAfterSeconds sent as `Retry-After`.
   * @param faults sent where the contract has problem details (RFC 9457).
   * @param details sent beside code and message.
   */
  constructor(
    readonly status: number,
    readonly code: string,
    readonly text: Text,
    readonly retryAfterSeconds?: number,
    readonly faults: readonly FieldFault[] = [],
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    // In English, and without its values.
    super(text.message);
  }
}

/** A refusal that says something about its caller, such as a wrong password: `recordingRefusal` records it. */
export class Refusal extends ServiceError {
  override readonly name = 'Refusal';
}

/**
 * A request that violates the contract. The violated rule is for the log and for servers only, because property names do
 * not help the user.
 */
export function requestRefused(status = 400, faults: readonly FieldFault[] = []): ServiceError {
  return new ServiceError(status, 'invalid_request', words.requestRefused, undefined, faults);
}

/** @param retryAfterSeconds until the limit ends. */
export function rateLimited(retryAfterSeconds: number): ServiceError {
  return new ServiceError(429, 'rate_limited', words.tooManyRequests, retryAfterSeconds);
}

/** The queue of hashes (`HashQueue`) is full, or the database is unavailable, which lasts for seconds. */
export function serviceBusy(): ServiceError {
  return new ServiceError(503, 'unavailable', words.serviceBusy, 5);
}

/** This process lacks a key; another one may have it. */
export function processAtFault(): ServiceError {
  return new ServiceError(503, 'unavailable', words.unexpected, 5);
}

/** A call that this service does not offer. */
export function noSuchCall(): ServiceError {
  return new Refusal(404, 'not_found', words.noSuchCall);
}

/**
 * The caller hung up. 499 is the status that nginx uses for this. One shared error, because a flood of aborted calls
 * would otherwise compute a stack trace each.
 */
export const callerGone = new ServiceError(499, 'unavailable', words.callerGone);
