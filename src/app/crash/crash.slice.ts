import { createSlice } from '@reduxjs/toolkit';

const slice = createSlice({
  name: 'crash',
  initialState: (): boolean => false,
  reducers: {
    /** A fault of ours that no feature could answer: the app-level fallback message is shown. */
    appCrashed: () => true,
    /** A part of the application could not be fetched; loading the page anew may find it. */
    chunkLoadFailed: (state) => state,
    /** The person asked for the page to be loaded anew. */
    reloadRequested: (state) => state,
  },
});

export const crashReducer = slice.reducer;
export const { appCrashed, chunkLoadFailed, reloadRequested } = slice.actions;

/** Whether the application met a fault of its own. */
export const selectHasCrashed = (state: { readonly crash: boolean }): boolean => state.crash;
