import { sessionEnded } from '@features/session';
import { createSlice } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';

/**
 * Whether 'Turn Off' was confirmed. The confirmation holds for one visit of verify identity, because the address alone must
 * turn nothing off.
 */
const slice = createSlice({
  name: 'turnOff',
  initialState: (): boolean => false,
  reducers: {
    /** Turn Off was pressed on the account settings. */
    turnOffRequested: (state) => state,
    turnOffConfirmed: () => true,
  },
  extraReducers: (builder) => {
    builder.addCase(
      locationChanged,
      (state, { payload }) => state && payload.pathname.startsWith(paths.askPassword('disable')),
    );
    builder.addCase(sessionEnded, () => false);
  },
});

export const turnOffReducer = slice.reducer;
export const { turnOffRequested, turnOffConfirmed } = slice.actions;

/** Whether Turn Off was confirmed and identity is being verified for it. */
export const selectIsTurnOffConfirmed = (state: { readonly mfa: { readonly turnOff: boolean } }): boolean =>
  state.mfa.turnOff;
