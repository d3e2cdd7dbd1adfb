import { createSlice } from '@reduxjs/toolkit';

const slice = createSlice({
  name: 'crash',
  initialState: (): boolean => false,
  reducers: {
    /** No feature handled an error: the fallback message is shown. */
    appCrashed: () => true,
    /** A chunk of the application could not be fetched; reloading the page may help (`reload.saga.ts`). */
    chunkLoadFailed: (state) => state,
    /** The user asked for a reload of the page. */
    reloadRequested: (state) => state,
  },
});

export const crashReducer = slice.reducer;
export const { appCrashed, chunkLoadFailed, reloadRequested } = slice.actions;

/** Whether the application has crashed. */
export const selectHasCrashed = (state: { readonly page: { readonly crash: boolean } }): boolean =>
  state.page.crash;
