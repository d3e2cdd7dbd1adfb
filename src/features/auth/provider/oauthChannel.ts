import type { MessageChannelPort } from '@shared/ports/ports';
import * as v from 'valibot';

/** What the pop-up posts to its opener. See docs/behaviour.md#channel-messages. */
export type OauthMessage =
  | { readonly type: 'oauth/code'; readonly code: string }
  | { readonly type: 'oauth/error'; readonly error: string };

/** The opener's response, after which the pop-up closes. */
export const received = { type: 'oauth/received' } as const;

/** Error code when the provider returned neither a code nor an error. */
export const noCode = 'no_code';
/** Error code when the response has another issuer than the request. */
export const otherIssuer = 'other_issuer';
/** Error code in place of one that is not of the protocol's shape. */
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

/** Reads a message of the pop-up; `null` for any other shape. Never throws. */
export function readOauthMessage(message: unknown): OauthMessage | null {
  const result = v.safeParse(messageSchema, message);
  // Neither has a third key.
  return result.success && Object.keys(message as object).length === 2 ? result.output : null;
}

/** Whether a message is the opener's response. */
export function isReceived(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === received.type
  );
}

/** Whether a provider's error may be posted as it is: of the protocol's shape, and none of our own codes. */
export const isProviderError = (error: string): boolean =>
  errorShape.test(error) && error !== noCode && error !== otherIssuer;

/**
 * One flow's part of the message line between two windows. A channel is named after the flow's state. A window is not, and
 * may return with the state of another flow, whose code must not be taken for this one's. So each message has the state.
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

/** Several message lines as one source. */
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
