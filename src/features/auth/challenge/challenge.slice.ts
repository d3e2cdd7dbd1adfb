import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { wayEnded, wayRequested } from '@shared/slots';
import { challengeIssued, type Challenge } from '../token-response/tokenResponse';

/** The fields of the screen after its saga has started. */
interface Open {
  readonly challenge: Challenge;
  /** Each increment focuses the boxes, and empties them unless `keepsCode` is set. */
  readonly restarts: number;
  /** The code could not be checked and stays in the boxes. */
  readonly keepsCode: boolean;
  /** The feature whose form is shown instead of the boxes; `null`: none. */
  readonly by: string | null;
  /** The request for another text message; `sent` while the notice is shown. */
  readonly resend: 'ready' | 'sending' | 'sent';
}

/** State of `/two-auth`. See docs/behaviour.md#challenge. */
export type ChallengeState =
  | { readonly phase: 'none' }
  /** The saga of the screen is being loaded. A code can be entered already. */
  | { readonly phase: 'issued'; readonly challenge: Challenge }
  | ({ readonly phase: 'entering' } & Open)
  /** The code is being checked. After a right code the phase lasts until the screen is left. */
  | ({ readonly phase: 'checking' } & Open)
  /** Another way is in progress instead of a code. `way` is the name of its feature. */
  | ({ readonly phase: 'otherWay'; readonly way: string } & Open)
  /** The code was wrong or could not be checked, and the boxes are red. */
  | ({ readonly phase: 'rejected' } & Open);

interface Submission {
  /** 'Trust this device' */
  readonly trust: boolean;
}

const slice = createSlice({
  name: 'challenge',
  initialState: (): ChallengeState => ({ phase: 'none' }),
  reducers: {
    /** The saga of the screen has started. */
    challengeOpened: (state): ChallengeState =>
      state.phase === 'issued'
        ? {
            phase: 'entering',
            challenge: state.challenge,
            restarts: 0,
            keepsCode: false,
            by: null,
            resend: 'ready',
          }
        : state,
    /** The code is in `meta.secret`, never in the payload. */
    codeSubmitted: {
      prepare: ({ code, trust }: Submission & { readonly code: string }) => ({
        payload: { trust },
        meta: { secret: code },
      }),
      reducer: (state, _action: PayloadAction<Submission>): ChallengeState =>
        state.phase === 'entering' ? { ...state, phase: 'checking', keepsCode: false } : state,
    },
    /** The user chose another form, or the boxes again. */
    codeKindSwitched: (state, { payload }: PayloadAction<string | null>): ChallengeState =>
      state.phase === 'entering' ? { ...state, keepsCode: false, by: payload } : state,
    codeRejected: (state, { payload }: PayloadAction<Pick<Open, 'keepsCode'>>): ChallengeState =>
      state.phase === 'checking' ? { ...state, ...payload, phase: 'rejected' } : state,
    /** The boxes accept another code, after a rejected code or a right code that did not sign in. */
    codeEntryRestarted: (state): ChallengeState =>
      'restarts' in state ? { ...state, phase: 'entering', restarts: state.restarts + 1 } : state,
    /** 'Resend' */
    newCodeRequested: (state): ChallengeState =>
      mayAskForNewCode(state) ? { ...state, resend: 'sending' } : state,
    newCodeSent: (state): ChallengeState => withResend(state, 'sent'),
    newCodeRefused: (state): ChallengeState => withResend(state, 'ready'),
    /** The notice of the new code is over. */
    newCodeNoticeEnded: (state): ChallengeState => withResend(state, 'ready'),
    /** The screen was left. */
    challengeDropped: (): ChallengeState => ({ phase: 'none' }),
  },
  extraReducers: (builder) => {
    builder.addCase(wayRequested, (state, { payload }): ChallengeState =>
      state.phase === 'entering' ? { ...state, phase: 'otherWay', way: payload } : state,
    );
    builder.addCase(wayEnded, (state): ChallengeState => {
      if (state.phase !== 'otherWay') return state;
      const { way: _over, ...rest } = state;
      return { ...rest, phase: 'entering' };
    });
    builder.addCase(challengeIssued, (_state, { payload }): ChallengeState => ({
      phase: 'issued',
      challenge: payload,
    }));
  },
});

function mayAskForNewCode(state: ChallengeState): state is Extract<ChallengeState, Open> {
  return (
    'resend' in state &&
    state.resend === 'ready' &&
    state.phase !== 'checking' &&
    state.phase !== 'otherWay' &&
    state.challenge.secondStep === 'text'
  );
}

function withResend(state: ChallengeState, resend: Open['resend']): ChallengeState {
  return 'resend' in state ? { ...state, resend } : state;
}

export const challengeReducer = slice.reducer;
export const {
  challengeOpened,
  codeSubmitted,
  codeKindSwitched,
  codeRejected,
  codeEntryRestarted,
  newCodeRequested,
  newCodeSent,
  newCodeRefused,
  newCodeNoticeEnded,
  challengeDropped,
} = slice.actions;

/** State of `/two-auth`. */
export const selectChallenge = (state: {
  readonly auth: { readonly challenge: ChallengeState };
}): ChallengeState => state.auth.challenge;

type ChallengeRoot = Parameters<typeof selectChallenge>[0];

/** Whether a code is being checked. */
export const selectIsCheckingCode = (state: ChallengeRoot): boolean =>
  selectChallenge(state).phase === 'checking';

/** Whether a request for another text message is pending. */
export const selectIsNewCodeAsked = (state: ChallengeRoot): boolean => {
  const challenge = selectChallenge(state);
  return 'resend' in challenge && challenge.resend === 'sending';
};
