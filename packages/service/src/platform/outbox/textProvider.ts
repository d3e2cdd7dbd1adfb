import { createHmac } from 'node:crypto';
import { post } from './httpPost.ts';
import type { Outbox } from './outbox.ts';

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
