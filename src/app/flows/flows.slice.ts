import { createSlice } from '@reduxjs/toolkit';

/** Whether the flows are running, and the state of their screens is there. They start once for a page. */
const slice = createSlice({
  name: 'flows',
  initialState: (): boolean => false,
  reducers: { flowsStarted: () => true },
});

export const flowsReducer = slice.reducer;
export const { flowsStarted } = slice.actions;

export const selectAreFlowsRunning = (state: { readonly flows: boolean }): boolean => state.flows;
