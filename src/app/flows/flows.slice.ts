import { createSlice } from '@reduxjs/toolkit';

/** Whether the flows are running and the state of their screens exists. They start once per page. */
const slice = createSlice({
  name: 'flows',
  initialState: (): boolean => false,
  reducers: { flowsStarted: () => true },
});

export const flowsReducer = slice.reducer;
export const { flowsStarted } = slice.actions;

export const selectAreFlowsRunning = (state: { readonly page: { readonly flows: boolean } }): boolean =>
  state.page.flows;
