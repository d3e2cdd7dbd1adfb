import type { Claims } from '@features/session';
import type { LoginMethodName } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import type { Provider } from '@shared/ports/ports';

/** Stores the provider of the last sign-in, because a token may only say that it was not a password. */
const key = 'provider';
const providers: readonly Provider[] = ['google', 'microsoft'];

/** Stores the provider of a sign-in, for verify identity. */
export function storeProvider(
  { storage }: Deps,
  { uid }: Pick<Claims, 'uid'>,
  method: LoginMethodName,
): void {
  storage.browser.write(key, method === 'basic' ? null : `${method} ${uid}`);
}

/** The provider with which a user signed in, or `null`. See docs/behaviour.md#proof-of-identity. */
export function knownProvider(
  { storage }: Deps,
  { uid, method }: Pick<Claims, 'uid' | 'method'>,
): Provider | null {
  const stored = storage.browser.read(key);
  return (
    providers.find((provider) => provider === method) ??
    providers.find((provider) => `${provider} ${uid}` === stored) ??
    null
  );
}
