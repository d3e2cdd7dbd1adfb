import type { Text } from '@shared/texts';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Both fields of a new password, as they were typed. */
export interface NewPassword {
  readonly password: string;
  readonly confirm: string;
}

/** The name of the user whose account is being activated. */
export interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
}

/** Why the form was refused: the new password does not meet the rules, or could not be saved. */
export type NewPasswordError = {
  readonly at: 'password' | 'form';
  readonly message: Text;
  /** Distinguishes one refusal from the next, so that the same text is announced again. */
  readonly times: number;
} | null;

/** A form that sets a password: reset, activate or change. */
type NewPasswordState =
  /** `/reset` was opened without a link's id. */
  | { readonly phase: 'unusable' }
  | { readonly phase: 'editing'; readonly error: NewPasswordError }
  | { readonly phase: 'saving'; readonly error: NewPasswordError }
  | { readonly phase: 'saved' };

const slice = createSlice({
  name: 'newPassword',
  initialState: (): NewPasswordState => ({ phase: 'editing', error: null }),
  reducers: {
    /** One of the three screens was entered. It is not `usable` without the id of a link. */
    newPasswordEntered: (
      _state,
      { payload }: PayloadAction<{ readonly usable: boolean }>,
    ): NewPasswordState => (payload.usable ? { phase: 'editing', error: null } : { phase: 'unusable' }),
    /** Both passwords are in `meta.secret`. */
    newPasswordSubmitted: {
      prepare: (entry: NewPassword, name?: PersonName) => ({ payload: name, meta: { secret: entry } }),
      reducer: (state, _action: PayloadAction<PersonName | undefined>): NewPasswordState =>
        state.phase === 'editing' ? { ...state, phase: 'saving' } : state,
    },
    /** The password does not meet the rules, or the service did not take it. */
    newPasswordRefused: (
      state,
      { payload }: PayloadAction<{ readonly at: 'password' | 'form'; readonly message: Text }>,
    ): NewPasswordState =>
      state.phase === 'saving'
        ? { phase: 'editing', error: { ...payload, times: (state.error?.times ?? 0) + 1 } }
        : state,
    newPasswordSaved: (state): NewPasswordState => (state.phase === 'saving' ? { phase: 'saved' } : state),
  },
});

export const newPasswordReducer = slice.reducer;
export const { newPasswordEntered, newPasswordSubmitted, newPasswordRefused, newPasswordSaved } =
  slice.actions;

/** The form that sets a password. */
export const selectNewPassword = (state: {
  readonly password: { readonly newPassword: NewPasswordState };
}): NewPasswordState => state.password.newPassword;
