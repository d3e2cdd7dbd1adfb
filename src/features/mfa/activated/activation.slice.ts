import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf } from '@reduxjs/toolkit';
import { factorActivated } from '../setup/setup.slice';

/** Whether this page knows that a second step is on: it was turned on here, or the service said so. */
const slice = createSlice({
  name: 'mfa',
  initialState: (): boolean => false,
  reducers: {
    /** The service says that the second step which the address names is on. */
    activationConfirmed: () => true,
  },
  extraReducers: (builder) => {
    builder.addCase(factorActivated, () => true);
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), () => false);
  },
});

export const activationReducer = slice.reducer;
export const { activationConfirmed } = slice.actions;

/** Whether `/mfa-activated` may say so. */
export const selectActivation = (state: { readonly mfa: { readonly activation: boolean } }): boolean =>
  state.mfa.activation;
