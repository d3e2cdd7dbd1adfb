import { createSlice } from '@reduxjs/toolkit';

/** Whether Turn Off was confirmed. An address that somebody was sent must not turn anything off. */
const slice = createSlice({
  name: 'mfa',
  initialState: (): boolean => false,
  reducers: {
    /** Turn Off was pressed on the account settings. */
    turnOffRequested: (state) => state,
    /** Holds for one visit to the verification of identity. */
    turnOffConfirmed: () => true,
    turnOffLeft: () => false,
  },
});

export const turnOffReducer = slice.reducer;
export const { turnOffRequested, turnOffConfirmed, turnOffLeft } = slice.actions;

/** Whether Turn Off was confirmed, and identity is being verified for it. */
export const selectIsTurnOffConfirmed = (state: { readonly mfa: { readonly turnOff: boolean } }): boolean =>
  state.mfa.turnOff;
