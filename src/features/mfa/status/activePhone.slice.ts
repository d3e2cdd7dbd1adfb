import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';

/** Last four digits of the phone that receives the text messages; `null`: not known, or not yet. */
export type ActivePhoneState = string | null;

const slice = createSlice({
  name: 'activePhone',
  initialState: (): ActivePhoneState => null,
  reducers: {
    /** A screen that shows the phone was entered. */
    activePhoneRequested: (): ActivePhoneState => null,
    activePhoneLoaded: (_state, { payload }: PayloadAction<string>): ActivePhoneState => payload,
  },
  extraReducers: (builder) => {
    // The next user must not see it.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), (): ActivePhoneState => null);
  },
});

export const activePhoneReducer = slice.reducer;
export const { activePhoneRequested, activePhoneLoaded } = slice.actions;

/** Last four digits of the phone that receives the text messages. */
export const selectActivePhone = (state: {
  readonly mfa: { readonly activePhone: ActivePhoneState };
}): ActivePhoneState => state.mfa.activePhone;
