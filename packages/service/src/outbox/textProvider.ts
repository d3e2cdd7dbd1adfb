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

/** A receiver of text messages of your own. */
export interface TextWebhookOptions {
  readonly url: string;
  /** 24 to 64 bytes in base64, with or without `whsec_` before it (Standard Webhooks). */
  readonly secret: string;
}

/** In milliseconds, for a whole call. */
const patience = 10_000;
/** The longest that Twilio accepts, in seconds. */
const longestValidity = 36_000;

/**
 * Text messages through Twilio. It knows no idempotency key: a message whose answer is lost is sent twice.
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
      // It must not lie in Twilio's queue until its code is over.
      if (lifeSeconds !== null) form.set('ValidityPeriod', String(validityFor(lifeSeconds)));
      await post(url, { Authorization: authorization }, form, twilioCode);
    },
  };
}

function validityFor(lifeSeconds: number): number {
  return Math.min(longestValidity, Math.max(1, Math.floor(lifeSeconds)));
}

/** The number of the error, which Twilio's documentation explains. */
function twilioCode(answer: unknown): string | null {
  const code = typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : null;
  return typeof code === 'number' ? `twilio-${code}` : null;
}

/**
 * Text messages as JSON to a receiver of your own: `{ "id", "to", "text", "expiresInSeconds" }`, signed as Standard Webhooks
 * does (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body. `webhook-id` is the same at every try.
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
 * @param codeOf reads what a refusal says of its reason.
 * @throws MessageDelayed without an answer, and for 408, 425, 429 and 5xx; MessageRefused for every other answer that is
 * not 2xx, a redirect too: the message and the password go where the operator has said, and nowhere else.
 */
async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | URLSearchParams,
  codeOf: (answer: unknown) => string | null = () => null,
): Promise<void> {
  let response: Response;
  let answer: unknown = null;
  try {
    const signal = AbortSignal.timeout(patience);
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    if (!response.ok) answer = await response.json().catch(() => null);
  } catch (error) {
    throw new MessageDelayed(connectionFault(error), 0, { cause: error });
  }
  const { status } = response;
  if (response.ok) {
    // What else it says, or that it breaks off while saying it, does not matter.
    response.body?.cancel().catch(() => undefined);
    return;
  }
  const reason = codeOf(answer) ?? `http-${status}`;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    throw new MessageDelayed(reason, secondsIn(response.headers.get('retry-after')));
  throw new MessageRefused(reason);
}

/** What `fetch` says of itself is 'fetch failed'; the code is in its cause. */
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
