import { selectLocation } from '@shared/routing/location.slice';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { profileFailed, profileLoaded, type ProfileState } from '../profile/profile.slice';
import { accountChanged } from '../session.slice';

/** Everything that the events report. */
const everything = ['profile', 'mfa', 'passkeys', 'sessions', 'recovery-codes'];

/**
 * A change after the page has read the account and before the stream begins is not sent as an event. So the account is read again,
 * unless it still has the version that was read.
 *
 * @param version - the account's version when the stream began; empty if the service does not name it
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

/** `undefined` if the screen does not show the account, or nothing has been read. */
function selectReadProfile(
  state: Parameters<typeof selectLocation>[0] & { readonly profile?: ProfileState },
): ProfileState | undefined {
  const { route } = selectLocation(state);
  return route === 'accountSettings' || route === 'accountActivity' ? state.profile : undefined;
}
