import type { Claims } from '@features/session';
import type { LoginMethodName } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import type { Provider } from '@shared/ports/ports';

/** How the last user of this browser signed in: a token may say only that it was not with a password. */
const key = 'provider';
const providers: readonly Provider[] = ['google', 'microsoft'];

/** Stores how a user has signed in, for verify identity. */
export function storeProvider(
  { storage }: Deps,
  { uid }: Pick<Claims, 'uid'>,
  method: LoginMethodName,
): void {
  storage.browser.write(key, method === 'basic' ? null : `${method} ${uid}`);
}

/** The provider that a user has signed in with; `null`: not known. See docs/behaviour.md#proof-of-identity. */
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
