import type { UnknownAction } from '@reduxjs/toolkit';
import { profileReducer, type ProfileState } from './profile/profile.slice';
import { sessionReducer, type SessionState } from './session.slice';

export { watchProfile as saga } from './profile/profile.saga';

type WithProfile = SessionState & { readonly profile: ProfileState };

/** The reducer of the whole branch: the part that `/login` needs, and the profile. */
export function reducer(state: SessionState | undefined, action: UnknownAction): WithProfile {
  const session: SessionState & Partial<WithProfile> = sessionReducer(state, action);
  const profile = profileReducer(session.profile, action);
  return session.profile === profile ? (session as WithProfile) : { ...session, profile };
}
