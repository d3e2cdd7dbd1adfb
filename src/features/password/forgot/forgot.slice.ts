import { sessionEnded, sessionStarted, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';

/** `/forgot-password`. `email` is the initial value of the field. */
type ForgotState =
  | { readonly phase: 'form'; readonly email: string }
  | { readonly phase: 'sending'; readonly email: string }
  | { readonly phase: 'sent'; readonly email: string };

const slice = createSlice({
  name: 'forgot',
  initialState: (): ForgotState => ({ phase: 'form', email: '' }),
  reducers: {
    /** The screen was entered; in verify mode with the account's e-mail. */
    forgotEntered: (_state, { payload: email }: PayloadAction<string>): ForgotState => ({
      phase: 'form',
      email,
    }),
    forgotSubmitted: (state, { payload: email }: PayloadAction<string>): ForgotState =>
      state.phase === 'form' ? { phase: 'sending', email } : state,
    /**
     * The call has ended, with success or failure. The screen shows no difference, so that it does not reveal which e-mails
     * have an account.
     */
    resetLinkSent: (state): ForgotState => (state.phase === 'sending' ? { ...state, phase: 'sent' } : state),
    /** 'Resend' was pressed, which returns to the form. */
    resendRequested: (state): ForgotState => (state.phase === 'sent' ? { ...state, phase: 'form' } : state),
  },
  extraReducers: (builder) => {
    // The next user must not see this state.
    builder.addMatcher(isAnyOf(sessionEnded, sessionStarted, setupStarted), (state): ForgotState => ({
      ...state,
      email: '',
    }));
  },
});

export const forgotReducer = slice.reducer;
export const { forgotEntered, forgotSubmitted, resetLinkSent, resendRequested } = slice.actions;

/** The screen of a forgotten password. */
export const selectForgot = (state: { readonly password: { readonly forgot: ForgotState } }): ForgotState =>
  state.password.forgot;

/** Whether the screen was reached from verify identity: docs/behaviour.md#forgot-password. */
export const isVerifyMode = (search: string): boolean => new URLSearchParams(search).get('mode') === 'verify';
