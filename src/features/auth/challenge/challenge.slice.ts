import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LoginMethodName } from '@shared/api/api';

/** What the code screen has to know (specification §3). Token, code and verifier are in the vault. */
export interface Challenge {
  readonly username: string;
  readonly method: LoginMethodName;
  /** `authy` = text message, `mfa` = authenticator app. */
  readonly mfaType: 'authy' | 'mfa';
  readonly authyId: string | null;
  readonly uid: string | null;
}

/** State of the two-step challenge at sign-in. */
export type ChallengeState =
  { readonly phase: 'none' } | { readonly phase: 'issued'; readonly challenge: Challenge };

const slice = createSlice({
  name: 'auth',
  initialState: (): ChallengeState => ({ phase: 'none' }),
  reducers: {
    /** The token answer asked for a second step. */
    challengeIssued: (_state, { payload }: PayloadAction<Challenge>): ChallengeState => ({
      phase: 'issued',
      challenge: payload,
    }),
    /** The code screen was left, or the second step is done. */
    challengeDropped: (): ChallengeState => ({ phase: 'none' }),
  },
});

export const challengeReducer = slice.reducer;
export const { challengeIssued, challengeDropped } = slice.actions;
