import { selectLocation } from '@shared/routing/location.slice';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { profileFailed, profileLoaded, type ProfileState } from '../profile/profile.slice';
import { accountChanged } from '../session.slice';

/** What the events report. */
const everything = ['profile', 'mfa', 'passkeys', 'sessions', 'recovery-codes'];

/**
 * A change between the page's own reading and the beginning of the stream is no event. Unless the account still has the version
 * that was read, it is read again.
 *
 * @param version - of the account when the stream began; empty: the service does not name it
 */
export function* catchUp(version: string): SagaGenerator<void> {
  let profile = yield* select(selectReadProfile);
  while (profile?.phase === 'loading') {
    yield* take([profileLoaded, profileFailed]);
    profile = yield* select(selectReadProfile);
  }
  const isKnown =
    version !== '' && profile?.phase === 'loaded' && profile.attributes.accountVersion === version;
  if (profile && !isKnown) yield* put(accountChanged({ what: everything }));
}

/** Absent where the screen shows nothing of the account, or nothing has been read. */
function selectReadProfile(
  state: Parameters<typeof selectLocation>[0] & { readonly profile?: ProfileState },
): ProfileState | undefined {
  const { route } = selectLocation(state);
  return route === 'accountSettings' || route === 'accountActivity' ? state.profile : undefined;
}
