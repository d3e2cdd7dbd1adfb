import type { Claims } from '@features/session';
import type { LoginMethodName } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import type { Provider } from '@shared/platform/platform';

/** How the last user of this browser signed in: a token may say only that it was not with a password. */
const note = 'provider';
const providers: readonly Provider[] = ['google', 'microsoft'];

/** Notes how a user has signed in, for verify identity. */
export function noteProvider(
  { notes }: Pick<Deps, 'notes'>,
  { uid }: Pick<Claims, 'uid'>,
  method: LoginMethodName,
): void {
  notes.browser.write(note, method === 'basic' ? null : `${method} ${uid}`);
}

/** The provider that a user has signed in with; `null`: not known. See docs/behaviour.md#proof-of-identity. */
export function knownProvider(
  { notes }: Pick<Deps, 'notes'>,
  { uid, method }: Pick<Claims, 'uid' | 'method'>,
): Provider | null {
  const noted = notes.browser.read(note);
  return (
    providers.find((provider) => provider === method) ??
    providers.find((provider) => `${provider} ${uid}` === noted) ??
    null
  );
}
