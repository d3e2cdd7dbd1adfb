import { retryAfterMs } from '@vestibule/client/refreshTiming';
import { AxiosError, isAxiosError, type AxiosResponse } from 'axios';
import * as v from 'valibot';
import { ApiError } from './apiError';

/** Longest server message that is shown, in characters. */
const longestMessage = 300;

const errorResponse = v.object({ error: v.object({ message: v.string() }) });
const codedErrorResponse = v.object({
  error: v.object({
    code: v.pipe(
      v.string(),
      v.check((code) => /^[a-z_]{1,64}$/.test(code)),
    ),
  }),
});

/** Control characters, and direction marks, which could change how a message reads. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Converts an error of axios: a refusal, no response, or a body that could not be read to the end.
 *
 * @param nowMs - ms since the epoch, for a `Retry-After` that is a date
 */
export function faultOf(error: unknown, nowMs: number): ApiError {
  if (!isAxiosError<unknown>(error)) return new ApiError('unexpected');
  if (error.response) return refusal(error.response, nowMs);
  switch (error.code) {
    case AxiosError.ETIMEDOUT:
    case AxiosError.ECONNABORTED:
      return new ApiError('timeout');
    case AxiosError.ERR_BAD_RESPONSE: // Over the size limit.
      return new ApiError('unexpected');
    default:
      return new ApiError('network');
  }
}

/** A response without a 2xx status. */
function refusal({ status, headers, data }: AxiosResponse<unknown>, nowMs: number): ApiError {
  if (status < 400) return new ApiError('unexpected', { status });
  const serverMessage = messageOf(data);
  const coded = v.safeParse(codedErrorResponse, data);
  const waitMs = retryAfterMs(String(headers['retry-after']), nowMs);
  return new ApiError('server', {
    status,
    ...(serverMessage === undefined ? {} : { serverMessage }),
    ...(coded.success ? { serverCode: coded.output.error.code } : {}),
    ...(waitMs > 0 ? { retryAfterMs: waitMs } : {}),
  });
}

/** `error.message` as one line of text, or `undefined`. */
function messageOf(body: unknown): string | undefined {
  const { success, output } = v.safeParse(errorResponse, body);
  if (!success) return undefined;
  const line = output.error.message.replace(/\s+/g, ' ').replace(invisible, '').trim();
  return line === '' ? undefined : Array.from(line).slice(0, longestMessage).join('');
}
