import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';

/** The offer to end the user's other sessions, after a change of factors. */
export type OtherSessionsState =
  | { readonly phase: 'none' }
  | { readonly phase: 'offered' }
  /** 'Sign Out Everywhere Else' was confirmed. */
  | { readonly phase: 'ending' };

const none = (): OtherSessionsState => ({ phase: 'none' });

const slice = createSlice({
  name: 'sessions',
  initialState: none,
  reducers: {
    /** The second step was set up, changed or turned off, or a passkey was added or removed. `route`: the screen for the offer. */
    factorsChanged: (state, _action: PayloadAction<{ readonly route: string }>) => state,
    othersFound: (): OtherSessionsState => ({ phase: 'offered' }),
    /** 'Sign Out Everywhere Else' was pressed but not yet confirmed. */
    endOthersRequested: (state) => state,
    endOthersConfirmed: (state): OtherSessionsState =>
      state.phase === 'offered' ? { phase: 'ending' } : state,
    endOthersFailed: (state): OtherSessionsState => (state.phase === 'ending' ? { phase: 'offered' } : state),
    offerClosed: none,
  },
  extraReducers: (builder) => {
    // The next user must not see the offer.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), none);
  },
});

export const otherSessionsReducer = slice.reducer;
export const {
  factorsChanged,
  othersFound,
  endOthersRequested,
  endOthersConfirmed,
  endOthersFailed,
  offerClosed,
} = slice.actions;

/** The offer. There is none before the slice exists. */
export const selectOtherSessions = (state: {
  readonly sessions?: { readonly offer: OtherSessionsState };
}): OtherSessionsState['phase'] => state.sessions?.offer.phase ?? 'none';
