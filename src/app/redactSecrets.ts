import type { Middleware } from '@reduxjs/toolkit';

/** Stands where a secret was. */
const redacted = '[redacted]';

/**
 * Takes `meta.secret` out of an action before any reducer or DevTools sees it (decisions §10). Stands behind
 * the saga middleware, which has the action in its own hands and gives sagas the secret, and before whatever reduces it.
 */
export const redactSecrets: Middleware = () => (next) => (action) =>
  next(carriesSecret(action) ? redact(action) : action);

interface SecretAction {
  readonly meta: { readonly secret: unknown };
}

function carriesSecret(action: unknown): action is SecretAction {
  if (typeof action !== 'object' || action === null || !('meta' in action)) return false;
  return typeof action.meta === 'object' && action.meta !== null && 'secret' in action.meta;
}

const redact = (action: SecretAction): SecretAction => ({
  ...action,
  meta: { ...action.meta, secret: redacted },
});
