import * as v from 'valibot';

/** What the pop-up tells its opener (decisions §7, channel protocol). */
export type OauthMessage =
  | { readonly type: 'oauth/code'; readonly code: string }
  | { readonly type: 'oauth/error'; readonly error: string };

/** The opener's answer, after which the pop-up closes. */
export const received = { type: 'oauth/received' } as const;

/** The error that the pop-up reports when the provider sent neither a code nor an error. */
export const noCode = 'no_code';
/** The error that it reports when the answer names another provider than the one that was asked. */
export const otherIssuer = 'other_issuer';
/** The error that it reports in the place of one that is not of the protocol's shape. */
export const otherError = 'other_error';

const longestCode = 4096;

const messageSchema = v.variant('type', [
  v.strictObject({
    type: v.literal('oauth/code'),
    code: v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestCode)),
  }),
  v.strictObject({ type: v.literal('oauth/error'), error: v.pipe(v.string(), v.regex(/^[a-z_]{1,64}$/)) }),
]);

/** Reads a message of the pop-up; `null`: of another shape, and ignored. Never throws. */
export function readOauthMessage(message: unknown): OauthMessage | null {
  const result = v.safeParse(messageSchema, message);
  return result.success ? result.output : null;
}

/** Whether a message is the opener's answer. */
export function isReceived(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === received.type
  );
}
