import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { UserAttributes } from '@shared/api/decoders';
import { sessionEnded, setupStarted } from '../session.slice';

/** The attributes of the signed-in user that the settings show. */
export type ProfileState =
  | { readonly phase: 'absent' }
  | { readonly phase: 'loading' }
  | { readonly phase: 'loaded'; readonly attributes: UserAttributes }
  | { readonly phase: 'failed' };

const slice = createSlice({
  name: 'profile',
  initialState: (): ProfileState => ({ phase: 'absent' }),
  reducers: {
    /** The settings were opened, or the user pressed 'Try Again'. */
    profileRequested: (): ProfileState => ({ phase: 'loading' }),
    profileLoaded: (state, { payload }: PayloadAction<UserAttributes>): ProfileState =>
      state.phase === 'absent' ? state : { phase: 'loaded', attributes: payload },
    profileFailed: (state): ProfileState => (state.phase === 'loading' ? { phase: 'failed' } : state),
  },
  extraReducers: (builder) => {
    // The next user must not see this state.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), (): ProfileState => ({ phase: 'absent' }));
  },
});

export const profileReducer = slice.reducer;
export const { profileRequested, profileLoaded, profileFailed } = slice.actions;

export const selectProfile = (state: {
  readonly session: { readonly profile: ProfileState };
}): ProfileState => state.session.profile;
