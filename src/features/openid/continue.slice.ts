import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import type { OpenIdRequest, RequestOver, SentCode } from './openid.calls';

/** The code boxes of the second step. */
export interface CodeEntry extends SentCode {
  /** Each increment empties and focuses the boxes. */
  readonly restarts: number;
  /** The request for another text message; `sent` while the notice is shown, `null` for an authenticator app. */
  readonly resend: 'ready' | 'sending' | 'sent' | null;
}

interface Coded {
  readonly request: OpenIdRequest;
  readonly entry: CodeEntry;
}

/** State of `/continue/{id}`. The id is in the address only, which the store holds masked. */
export type ContinueState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'asking'; readonly request: OpenIdRequest }
  /** 'Continue' was pressed, and identity is verified first. The request holds for one visit. */
  | { readonly phase: 'proving'; readonly request: OpenIdRequest }
  /** The code of the second step is asked for. */
  | ({ readonly phase: 'code' } & Coded)
  /** The answer is being sent with the code, or the browser is leaving. */
  | ({ readonly phase: 'checking' } & Coded)
  /** The code was wrong, and the boxes are red. */
  | ({ readonly phase: 'rejected' } & Coded)
  /** The answer or the text message is being sent, or the browser is leaving. */
  | { readonly phase: 'answering'; readonly request: OpenIdRequest; readonly allow: boolean }
  /** The request cannot be answered any more. `isLeaving`: the browser is opening the application. */
  | {
      readonly phase: 'over';
      readonly application: NonNullable<RequestOver['over']>;
      readonly isLeaving: boolean;
    }
  /** There was no response. `from` is the phase that 'Try Again' repeats. */
  | { readonly phase: 'unreached'; readonly from: ContinueState };

const initialState = (): ContinueState => ({ phase: 'loading' });

const slice = createSlice({
  name: 'openid',
  initialState,
  reducers: {
    /** The screen was entered, or its request is loaded again. */
    continueEntered: initialState,
    requestLoaded: (_state, { payload }: PayloadAction<OpenIdRequest>): ContinueState => ({
      phase: 'asking',
      request: payload,
    }),
    /** 'Continue' or 'Cancel' was pressed. */
    requestAnswered: (state, { payload }: PayloadAction<{ readonly allow: boolean }>): ContinueState => {
      if (state.phase !== 'asking' && state.phase !== 'code') return state;
      const { request } = state;
      return payload.allow && request.needsIdentity && state.phase === 'asking'
        ? { phase: 'proving', request }
        : { phase: 'answering', request, ...payload };
    },
    /** The identity was verified, and the screen goes on by itself. */
    identityProved: (state): ContinueState =>
      state.phase === 'proving' ? { phase: 'answering', request: state.request, allow: true } : state,
    /** A text message was sent, or the authenticator app has the code. */
    codeAsked: (state, { payload }: PayloadAction<SentCode>): ContinueState =>
      state.phase === 'answering'
        ? {
            ...{ phase: 'code', request: state.request },
            entry: { ...payload, restarts: 0, resend: payload.lastFourPhone === null ? null : 'ready' },
          }
        : state,
    /** The code is in `meta.secret`, never in the payload. */
    codeSubmitted: {
      prepare: (code: string) => ({ payload: undefined, meta: { secret: code } }),
      reducer: (state): ContinueState => (state.phase === 'code' ? { ...state, phase: 'checking' } : state),
    },
    codeRejected: (state): ContinueState =>
      state.phase === 'checking' ? { ...state, phase: 'rejected' } : state,
    /** The boxes are empty again, with the focus in the first. */
    codeEntryRestarted: (state): ContinueState =>
      state.phase === 'rejected' || state.phase === 'code'
        ? { ...state, phase: 'code', entry: { ...state.entry, restarts: state.entry.restarts + 1 } }
        : state,
    /** 'Resend' */
    newCodeRequested: (state): ContinueState =>
      (state.phase === 'rejected' || state.phase === 'code') && state.entry.resend === 'ready'
        ? withResend(state, 'sending')
        : state,
    newCodeSent: (state): ContinueState => withResend(state, 'sent'),
    newCodeRefused: (state): ContinueState => withResend(state, 'ready'),
    /** The notice of the new code is over. */
    newCodeNoticeEnded: (state): ContinueState => withResend(state, 'ready'),
    requestEnded: (_state, { payload }: PayloadAction<NonNullable<RequestOver['over']>>): ContinueState => ({
      ...{ phase: 'over', application: payload, isLeaving: false },
    }),
    /** The button with the name of the application was pressed. */
    applicationOpened: (state): ContinueState =>
      state.phase === 'over' ? { ...state, isLeaving: true } : state,
    requestUnreached: (state): ContinueState => ({ phase: 'unreached', from: state }),
    requestRetried: (state): ContinueState => (state.phase === 'unreached' ? state.from : state),
  },
  extraReducers: (builder) => {
    builder.addCase(locationChanged, (state, { payload }) =>
      state.phase === 'proving' &&
      payload.route !== 'continueRequest' &&
      !payload.pathname.startsWith(paths.askPassword('continue'))
        ? initialState()
        : state,
    );
    // The next user must not see this state.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

const withResend = (state: ContinueState, resend: CodeEntry['resend']): ContinueState =>
  'entry' in state ? { ...state, entry: { ...state.entry, resend } } : state;

export const continueReducer = slice.reducer;
export const {
  continueEntered,
  requestLoaded,
  requestAnswered,
  identityProved,
  codeAsked,
  codeSubmitted,
  codeRejected,
  codeEntryRestarted,
  newCodeRequested,
  newCodeSent,
  newCodeRefused,
  newCodeNoticeEnded,
  requestEnded,
  applicationOpened,
  requestUnreached,
  requestRetried,
} = slice.actions;

const before = initialState();

/** The state of the screen. Before the slice exists it is the initial state. */
export const selectContinue = (state: {
  readonly openid?: { readonly request: ContinueState };
}): ContinueState => state.openid?.request ?? before;

/** Whether a request for another text message is pending. */
export function selectIsNewCodeAsked(state: Parameters<typeof selectContinue>[0]): boolean {
  const request = selectContinue(state);
  return 'entry' in request && request.entry.resend === 'sending';
}
