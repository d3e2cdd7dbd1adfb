import { createSlice } from '@reduxjs/toolkit';

const slice = createSlice({
  name: 'app',
  initialState: (): boolean => false,
  reducers: {
    /** A fault of ours that no feature could answer: the app-level fallback message is shown. */
    crashed: () => true,
    /** A part of the application could not be fetched; loading the page anew may find it. */
    partLost: (state) => state,
    /** The person asked for the page to be loaded anew. */
    reloadRequested: (state) => state,
  },
});

export const crashReducer = slice.reducer;
export const { crashed: appCrashed, partLost, reloadRequested } = slice.actions;

/** Whether the application met a fault of its own. */
export const selectHasCrashed = (state: { readonly crashed: boolean }): boolean => state.crashed;
