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

/** The code screen at work. */
interface Open {
  readonly challenge: Challenge;
  /** Each further one empties the boxes and puts the focus in the first. */
  readonly attempt: number;
  /** A new text message: `sent` as long as that is said. */
  readonly resend: 'ready' | 'sending' | 'sent';
}

/** State of the two-step challenge at sign-in. */
export type ChallengeState =
  | { readonly phase: 'none' }
  /** The screen's work is on its way; the boxes can be filled already. */
  | { readonly phase: 'issued'; readonly challenge: Challenge }
  | ({ readonly phase: 'entering' } & Open)
  /** The code is being checked; after a right one, until the browser has left. */
  | ({ readonly phase: 'checking' } & Open)
  /** The code was wrong, and the boxes are red. */
  | ({ readonly phase: 'rejected' } & Open);

/** What is sent with the code, which itself travels in `meta.secret`. */
interface Submission {
  /** Whether this device is to be trusted from now on. */
  readonly trust: boolean;
}

const slice = createSlice({
  name: 'auth',
  initialState: (): ChallengeState => ({ phase: 'none' }),
  reducers: {
    /** The token answer asked for a second step. */
    challengeIssued: (_state, { payload }: PayloadAction<Challenge>): ChallengeState => ({
      phase: 'issued',
      challenge: payload,
    }),
    /** The code screen can be used. */
    challengeOpened: (state): ChallengeState =>
      state.phase === 'issued'
        ? { phase: 'entering', challenge: state.challenge, attempt: 0, resend: 'ready' }
        : state,
    codeSubmitted: {
      prepare: ({ code, trust }: Submission & { readonly code: string }) => ({
        payload: { trust },
        meta: { secret: code },
      }),
      reducer: (state, _action: PayloadAction<Submission>): ChallengeState =>
        state.phase === 'entering' ? { ...state, phase: 'checking' } : state,
    },
    codeRejected: (state): ChallengeState =>
      state.phase === 'checking' ? { ...state, phase: 'rejected' } : state,
    /** The boxes are empty again and wait for another code; also when the code was right but nobody was signed in. */
    codeEntryRestarted: (state): ChallengeState =>
      'attempt' in state ? { ...state, phase: 'entering', attempt: state.attempt + 1 } : state,
    /** The person did not get the text message. */
    newCodeRequested: (state): ChallengeState =>
      mayAskForNewCode(state) ? { ...state, resend: 'sending' } : state,
    newCodeSent: (state): ChallengeState => withResend(state, 'sent'),
    newCodeRefused: (state): ChallengeState => withResend(state, 'ready'),
    /** It was said long enough that a new code was sent. */
    newCodeNoticeEnded: (state): ChallengeState => withResend(state, 'ready'),
    /** The code screen was left, or the second step is done. */
    challengeDropped: (): ChallengeState => ({ phase: 'none' }),
  },
});

function mayAskForNewCode(state: ChallengeState): state is Extract<ChallengeState, Open> {
  return (
    'resend' in state &&
    state.resend === 'ready' &&
    state.phase !== 'checking' &&
    state.challenge.mfaType === 'authy'
  );
}

function withResend(state: ChallengeState, resend: Open['resend']): ChallengeState {
  return 'resend' in state ? { ...state, resend } : state;
}

export const challengeReducer = slice.reducer;
export const {
  challengeIssued,
  challengeOpened,
  codeSubmitted,
  codeRejected,
  codeEntryRestarted,
  newCodeRequested,
  newCodeSent,
  newCodeRefused,
  newCodeNoticeEnded,
  challengeDropped,
} = slice.actions;

/** State of the code screen. */
export const selectChallenge = (state: {
  readonly auth: { readonly challenge: ChallengeState };
}): ChallengeState => state.auth.challenge;

type ChallengeRoot = Parameters<typeof selectChallenge>[0];

/** Whether a code was submitted and not yet answered. */
export const selectIsCheckingCode = (state: ChallengeRoot): boolean =>
  selectChallenge(state).phase === 'checking';

/** Whether another text message was asked for, and whether it went out is not known yet. */
export const selectIsNewCodeAsked = (state: ChallengeRoot): boolean => {
  const challenge = selectChallenge(state);
  return 'resend' in challenge && challenge.resend === 'sending';
};
