import { createHmac } from 'node:crypto';
import { MessageDelayed, MessageRefused, type Outbox } from './outbox.ts';

/** The half of an outbox for text messages. */
type TextSender = Required<Pick<Outbox, 'sendTextMessage'>>;

/** An account at Twilio (https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource). */
export interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** A number in E.164, a short code or an alphanumeric sender, or the SID of a messaging service. */
  readonly sender: { readonly from: string } | { readonly messagingServiceSid: string };
  /** Default `https://api.twilio.com`. */
  readonly apiUrl?: string;
}

/** Your own receiver of text messages. */
export interface TextWebhookOptions {
  readonly url: string;
  /** 24 to 64 bytes in base64, with or without `whsec_` before it (Standard Webhooks). */
  readonly secret: string;
}

/** The time limit of a call. */
const timeoutMilliseconds = 10_000;
/** The maximum that Twilio accepts, in seconds. */
const maxValiditySeconds = 36_000;

/**
 * Sends text messages through Twilio. Its API has no idempotency key: if a response is lost, the message is sent
 * twice.
 */
export function twilioText({
  accountSid,
  authToken,
  sender,
  apiUrl = 'https://api.twilio.com',
}: TwilioOptions): TextSender {
  const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`, 'utf8').toString('base64')}`;
  const from: Readonly<Record<string, string>> =
    'from' in sender ? { From: sender.from } : { MessagingServiceSid: sender.messagingServiceSid };
  return {
    sendTextMessage: async ({ to, text }, { lifeSeconds }) => {
      const form = new URLSearchParams({ To: to, Body: text, ...from });
      // Twilio must not deliver it after its code has expired.
      if (lifeSeconds !== null) form.set('ValidityPeriod', String(validityFor(lifeSeconds)));
      await post(url, { Authorization: authorization }, form, twilioCode);
    },
  };
}

function validityFor(lifeSeconds: number): number {
  return Math.min(maxValiditySeconds, Math.max(1, Math.floor(lifeSeconds)));
}

/** The error code, which Twilio's documentation explains. */
function twilioCode(body: unknown): string | null {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return typeof code === 'number' ? `twilio-${code}` : null;
}

/**
 * Sends text messages as JSON to your own receiver: `POST` with `{ "id", "to", "text", "expiresInSeconds" }`, signed
 * by Standard Webhooks (https://www.standardwebhooks.com) with HMAC-SHA256 over id, time and body. `webhook-id` is
 * the same for every try.
 */
export function webhookText({ url, secret }: TextWebhookOptions): TextSender {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    sendTextMessage: async ({ to, text }, { id, lifeSeconds }) => {
      const body = JSON.stringify({ id, to, text, expiresInSeconds: lifeSeconds });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      await post(
        url,
        {
          'Content-Type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
      );
    },
  };
}

/**
 * @param codeOf reads the reason of a refusal from the body of its response.
 * @throws MessageDelayed without a response, and for 408, 425, 429 and 5xx; MessageRefused for every other status
 * that is not 2xx. Redirects are not followed: the message and its password go only to the configured address.
 */
async function post(
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
