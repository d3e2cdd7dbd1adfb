import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { factorActivated, type SetupMethod } from '../setup/setup.slice';

/** The second step that this page knows to be on: it was turned on here, or the service said so. */
const slice = createSlice({
  name: 'mfa',
  initialState: (): SetupMethod | null => null,
  reducers: {
    /** The service says that the second step which the address names is on. */
    activationConfirmed: (_state, { payload }: PayloadAction<SetupMethod>): SetupMethod => payload,
  },
  extraReducers: (builder) => {
    builder.addCase(factorActivated, (_state, { payload }) => payload.method);
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), () => null);
  },
});

export const activationReducer = slice.reducer;
export const { activationConfirmed } = slice.actions;

/** The second step that is known to be on. */
export const selectActivated = (state: {
  readonly mfa: { readonly activation: SetupMethod | null };
}): SetupMethod | null => state.mfa.activation;
