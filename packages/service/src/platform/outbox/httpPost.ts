import { MessageDelayed, MessageRefused } from './outbox.ts';

/** The time limit of a call. */
const timeoutMilliseconds = 10_000;

/**
 * Sends a message.
 *
 * @param codeOf reads the reason of a refusal from the body of its response.
 * @throws MessageDelayed without a response, and for 408, 425, 429 and 5xx; MessageRefused for every other status
 * that is not 2xx. Redirects are not followed: the message, and its password, go only to the configured address.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | URLSearchParams,
  codeOf: (responseBody: unknown) => string | null = () => null,
): Promise<void> {
  let response: Response;
  let responseBody: unknown = null;
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    if (!response.ok) responseBody = await response.json().catch(() => null);
  } catch (error) {
    throw new MessageDelayed(connectionFault(error), 0, { cause: error });
  }
  const { status } = response;
  if (response.ok) {
    // The body is not needed, and an error while it is sent does not matter.
    response.body?.cancel().catch(() => undefined);
    return;
  }
  const reason = codeOf(responseBody) ?? `http-${status}`;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new MessageDelayed(reason, secondsIn(response.headers.get('retry-after')));
  throw new MessageRefused(reason);
}

/**
 * Posts a form to the server of an application.
 *
 * @throws MessageDelayed for every response but 2xx: an application that is being replaced may respond with any status.
 */
export async function postUntilAccepted(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await post(url, {}, new URLSearchParams(fields));
  } catch (error) {
    throw error instanceof MessageRefused ? new MessageDelayed(error.reason) : error;
  }
}

/** The message of `fetch` is always 'fetch failed'; the code is in its cause. */
function connectionFault(error: unknown): string {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: { code?: string } };
  return name === 'TimeoutError' ? 'timeout' : (cause?.code ?? 'connection');
}

/** `Retry-After` in seconds, or as a date (RFC 9110 §10.2.3); 0 for anything else. */
function secondsIn(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}
