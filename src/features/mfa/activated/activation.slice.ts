import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { TwoStepMethod } from '@shared/api/decoders';
import { factorActivated } from '../enrolment/enrolment.slice';

/** The method that this page knows to be on: it was turned on here, or the account shows that it is on. */
const slice = createSlice({
  name: 'activation',
  initialState: (): TwoStepMethod | null => null,
  reducers: {
    /** The account says that the method which the address names is on. */
    activationConfirmed: (_state, { payload }: PayloadAction<TwoStepMethod>): TwoStepMethod => payload,
    /** Sign In was pressed at the end of an enrolment in setup mode. */
    setupSignInRequested: (state) => state,
  },
  extraReducers: (builder) => {
    builder.addCase(factorActivated, (_state, { payload }) => payload.method);
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), () => null);
  },
});

export const activationReducer = slice.reducer;
export const { activationConfirmed, setupSignInRequested } = slice.actions;

/** The method that is known to be on. */
export const selectActivated = (state: {
  readonly mfa: { readonly activation: TwoStepMethod | null };
}): TwoStepMethod | null => state.mfa.activation;

/** The method in `/mfa-activated?method=`; `null` for any other text. */
export function methodOf(search: string): TwoStepMethod | null {
  switch (new URLSearchParams(search).get('method')) {
    case 'sms':
      return 'text';
    case 'qrcode':
      return 'app';
    default:
      return null;
  }
}
