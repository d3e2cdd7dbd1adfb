import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';

/** The phone that receives the text messages, as far as it is known. */
type ActivePhoneState =
  | { readonly phase: 'absent' }
  /** A screen that shows the number requested it. A failure leaves this phase unchanged. */
  | { readonly phase: 'requested' }
  | { readonly phase: 'loaded'; readonly lastFourPhone: string };

const slice = createSlice({
  name: 'activePhone',
  initialState: (): ActivePhoneState => ({ phase: 'absent' }),
  reducers: {
    /** A screen that shows the phone was entered. */
    activePhoneRequested: (): ActivePhoneState => ({ phase: 'requested' }),
    activePhoneLoaded: (state, { payload }: PayloadAction<string>): ActivePhoneState =>
      state.phase === 'requested' ? { phase: 'loaded', lastFourPhone: payload } : state,
  },
  extraReducers: (builder) => {
    // The next user must not see this state, nor the response to a request of this user.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), (): ActivePhoneState => ({ phase: 'absent' }));
  },
});

export const activePhoneReducer = slice.reducer;
export const { activePhoneRequested, activePhoneLoaded } = slice.actions;

/** The last four digits of the phone that receives the text messages, or `null`. */
export function selectActivePhone(state: {
  readonly mfa: { readonly activePhone: ActivePhoneState };
}): string | null {
  const { activePhone } = state.mfa;
  return activePhone.phase === 'loaded' ? activePhone.lastFourPhone : null;
}
