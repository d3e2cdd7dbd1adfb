import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';

/** The phone that text messages go to: its last four digits; `null`: not known, or not yet. */
export type ActivePhoneState = string | null;

const slice = createSlice({
  name: 'mfa',
  initialState: (): ActivePhoneState => null,
  reducers: {
    /** A screen that names the phone was entered. */
    activePhoneRequested: (): ActivePhoneState => null,
    activePhoneLoaded: (_state, { payload }: PayloadAction<string>): ActivePhoneState => payload,
  },
  extraReducers: (builder) => {
    // Nothing of one person is shown to the next.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), (): ActivePhoneState => null);
  },
});

export const activePhoneReducer = slice.reducer;
export const { activePhoneRequested, activePhoneLoaded } = slice.actions;

/** Last four digits of the phone that text messages go to, where they are known. */
export const selectActivePhone = (state: {
  readonly mfa: { readonly activePhone: ActivePhoneState };
}): ActivePhoneState => state.mfa.activePhone;
