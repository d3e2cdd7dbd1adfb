import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { wayEnded, wayRequested } from '@shared/slots';
import { challengeIssued, type Challenge } from '../token-response/tokenResponse';

/** The code screen, once its work has started. */
interface Open {
  readonly challenge: Challenge;
  /** Each new one focuses the boxes, and empties them unless `keepsCode`. */
  readonly restarts: number;
  /** The code could not be checked: it stays in the boxes. */
  readonly keepsCode: boolean;
  /** The feature whose form is shown instead of the boxes; `null`: none. */
  readonly by: string | null;
  /** Another text message; `sent` while the notice is shown. */
  readonly resend: 'ready' | 'sending' | 'sent';
}

/** State of `/two-auth`. See docs/behaviour.md#challenge. */
export type ChallengeState =
  | { readonly phase: 'none' }
  /** The screen's work is being loaded; the boxes can be filled already. */
  | { readonly phase: 'issued'; readonly challenge: Challenge }
  | ({ readonly phase: 'entering' } & Open)
  /** The code is being checked; after a right one, until the screen is left. */
  | ({ readonly phase: 'checking' } & Open)
  /** Another way is asked for or checked instead of a code. `way`: the name of its feature. */
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
    /** The screen's work has started. */
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
    /** Another form was chosen, or the boxes. */
    codeKindSwitched: (state, { payload }: PayloadAction<string | null>): ChallengeState =>
      state.phase === 'entering' ? { ...state, keepsCode: false, by: payload } : state,
    codeRejected: (state, { payload }: PayloadAction<Pick<Open, 'keepsCode'>>): ChallengeState =>
      state.phase === 'checking' ? { ...state, ...payload, phase: 'rejected' } : state,
    /** The boxes take another code, after one that was rejected or a right one that did not sign in. */
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
