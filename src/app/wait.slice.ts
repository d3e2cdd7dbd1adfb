import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** What the page says instead of a screen that takes longer than a second: that it checks the session, or loads the screen. */
export type WaitState =
  { readonly phase: 'none' } | { readonly phase: 'session' } | { readonly phase: 'screen' };

const none = (): WaitState => ({ phase: 'none' });

const slice = createSlice({
  name: 'wait',
  initialState: none,
  reducers: {
    waitNoticed: (_state, { payload }: PayloadAction<WaitState>) => payload,
    waitEnded: none,
  },
});

export const waitReducer = slice.reducer;
export const { waitNoticed, waitEnded } = slice.actions;

export const selectWait = (state: { readonly wait: WaitState }): WaitState['phase'] => state.wait.phase;
