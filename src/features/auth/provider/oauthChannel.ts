import type { MessageChannelPort } from '@shared/ports/ports';
import * as v from 'valibot';

/** A message that the provider window posts to its opener. See docs/behaviour.md#channel-messages. */
export type OauthMessage =
  | { readonly type: 'oauth/code'; readonly code: string }
  | { readonly type: 'oauth/error'; readonly error: string };

/** The reply of the opener. After it the provider window closes. */
export const received = { type: 'oauth/received' } as const;

/** Error code when the provider returned neither a code nor an error. */
export const noCode = 'no_code';
/** Error code when the response has another issuer than the request. */
export const otherIssuer = 'other_issuer';
/** Replaces an error code that does not have the form of the protocol. */
export const otherError = 'other_error';

const errorShape = /^[a-z_]{1,64}$/;
const longestCode = 4096;

const messageSchema = v.union([
  v.object({
    type: v.picklist(['oauth/code']),
    code: v.pipe(
      v.string(),
      v.check((code) => code !== '' && code.length <= longestCode),
    ),
  }),
  v.object({
    type: v.picklist(['oauth/error']),
    error: v.pipe(
      v.string(),
      v.check((error) => errorShape.test(error)),
    ),
  }),
]);

/** Reads a message of the provider window; `null` for any other shape. Never throws. */
export function readOauthMessage(message: unknown): OauthMessage | null {
  const result = v.safeParse(messageSchema, message);
  // A message has exactly two keys.
  return result.success && Object.keys(message as object).length === 2 ? result.output : null;
}

/** Whether a message is the reply of the opener. */
export function isReceived(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === received.type
  );
}

/** Whether an error of a provider may be posted as it is: it has the form of the protocol, and is none of our own codes. */
export const isProviderError = (error: string): boolean =>
  errorShape.test(error) && error !== noCode && error !== otherIssuer;

/**
 * Limits the messages between two windows to one flow. A provider window may return with the state of another flow, so each
 * message between windows contains its state.
 */
export function scopeToFlow(line: MessageChannelPort, state: string): MessageChannelPort {
  return {
    post: (message) => line.post({ ...message, state }),
    subscribe: (listener) =>
      line.subscribe((message) => {
        const { state: named, ...rest } = message as { readonly state?: unknown };
        if (named === state) listener(rest);
      }),
  };
}

/** Combines several message channels into one. */
export function mergeChannels(
  lines: readonly Pick<MessageChannelPort, 'subscribe'>[],
): MessageChannelPort['subscribe'] {
  return (listener) => {
    const stops = lines.map((line) => line.subscribe(listener));
    return () => {
      for (const stop of stops) stop();
    };
  };
}
