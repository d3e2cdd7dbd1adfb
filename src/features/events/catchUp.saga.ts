import { accountChanged, profileFailed, profileLoaded, type ProfileState } from '@features/session';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/**
 * Reads the account again if it has changed before the stream began, because the stream does not report earlier changes.
 *
 * @param version - the account's version when the stream began; empty if the service does not name it
 */
export function* catchUp({ features }: Deps, version: string): SagaGenerator<void> {
  let profile = yield* select(selectReadProfile, features);
  while (profile?.phase === 'loading') {
    yield* take([profileLoaded, profileFailed]);
    profile = yield* select(selectReadProfile, features);
  }
  const isKnown =
    version !== '' && profile?.phase === 'loaded' && profile.attributes.accountVersion === version;
  if (profile && !isKnown)
    yield* put(accountChanged({ what: ['profile', ...features.map(({ name }) => name)] }));
}

/** `undefined` if the screen does not show the account, or nothing has been read. */
function selectReadProfile(
  state: Parameters<typeof selectLocation>[0] & { readonly session: { readonly profile?: ProfileState } },
  features: Deps['features'],
): ProfileState | undefined {
  const { route } = selectLocation(state);
  return features.some(({ routes }) => routes?.[route ?? '']?.showsAccount)
    ? state.session.profile
    : undefined;
}
