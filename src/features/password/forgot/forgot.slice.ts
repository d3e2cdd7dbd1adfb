import { sessionEnded, sessionStarted, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';

/** `/forgot-password` (specification §2). `email` is what the field starts with. */
export type ForgotState =
  | { readonly phase: 'form'; readonly email: string }
  | { readonly phase: 'sending'; readonly email: string }
  | { readonly phase: 'sent'; readonly email: string };

const slice = createSlice({
  name: 'password',
  initialState: (): ForgotState => ({ phase: 'form', email: '' }),
  reducers: {
    /** The screen was entered; in verify mode with the account's e-mail. */
    forgotEntered: (_state, { payload: email }: PayloadAction<string>): ForgotState => ({
      phase: 'form',
      email,
    }),
    forgotSubmitted: (state, { payload: email }: PayloadAction<string>): ForgotState =>
      state.phase === 'form' ? { phase: 'sending', email } : state,
    /** Told after success and after failure alike: nobody learns which e-mails have an account (specification §7). */
    resetLinkSent: (state): ForgotState => (state.phase === 'sending' ? { ...state, phase: 'sent' } : state),
    /** Resend: back to the form. */
    resendRequested: (state): ForgotState => (state.phase === 'sent' ? { ...state, phase: 'form' } : state),
  },
  extraReducers: (builder) => {
    // Nothing of one person is shown to the next.
    builder.addMatcher(isAnyOf(sessionEnded, sessionStarted, setupStarted), (state): ForgotState => ({
      ...state,
      email: '',
    }));
  },
});

export const forgotReducer = slice.reducer;
export const { forgotEntered, forgotSubmitted, resetLinkSent, resendRequested } = slice.actions;

/** The forgotten password's screen. */
export const selectForgot = (state: { readonly password: { readonly forgot: ForgotState } }): ForgotState =>
  state.password.forgot;
