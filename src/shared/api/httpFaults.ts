import { AxiosError, isAxiosError, type AxiosResponse } from 'axios';
import * as v from 'valibot';
import { ApiError } from './apiError';

/** Longest server message that is shown, in characters. */
const longestMessage = 300;
/** Longest wait that is read, ms: a day, and with it any token, is over sooner than what is longer. */
const longestRetryAfterMs = 86_400_000;

/** RFC 9110 §5.6.7. Engines read almost anything else as some date, even '-5'. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const errorResponse = v.object({ error: v.object({ message: v.string() }) });
const codedErrorResponse = v.object({
  error: v.object({
    code: v.pipe(
      v.string(),
      v.check((code) => /^[a-z_]{1,64}$/.test(code)),
    ),
  }),
});

/** Controls, and the marks that turn the direction of text and could make a message read as another one. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * What axios has rejected with: a refusal, no response, or a body that could not be read to the end.
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
  const retryAfterMs = readRetryAfter(headers['retry-after'], nowMs);
  return new ApiError('server', {
    status,
    ...(serverMessage === undefined ? {} : { serverMessage }),
    ...(coded.success ? { serverCode: coded.output.error.code } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** `error.message` as text of one line; `undefined` when there is none. */
function messageOf(body: unknown): string | undefined {
  const { success, output } = v.safeParse(errorResponse, body);
  if (!success) return undefined;
  const line = output.error.message.replace(/\s+/g, ' ').replace(invisible, '').trim();
  return line === '' ? undefined : Array.from(line).slice(0, longestMessage).join('');
}

/** Seconds, or an HTTP date; in ms from now, at most a day. */
function readRetryAfter(header: unknown, nowMs: number): number | undefined {
  const value = typeof header === 'string' ? header.trim() : '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, longestRetryAfterMs);
  if (!httpDate.test(value)) return undefined;
  // eslint-disable-next-line no-restricted-globals -- parses a date; the clock comes in as `nowMs`
  const waitMs = Date.parse(value) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestRetryAfterMs);
}
