import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import type { OpenIdRequest } from './openid.calls';

/** State of `/continue/{id}`. The id is in the address only, which the store holds masked. */
export type ContinueState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'asking'; readonly request: OpenIdRequest }
  /** 'Continue' was pressed, and identity is verified first. The request holds for one visit. */
  | { readonly phase: 'proving'; readonly request: OpenIdRequest }
  /** The answer is being sent, or the browser is leaving. */
  | { readonly phase: 'answering'; readonly request: OpenIdRequest; readonly allow: boolean }
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
      if (state.phase !== 'asking') return state;
      const { request } = state;
      return payload.allow && request.needsIdentity
        ? { phase: 'proving', request }
        : { phase: 'answering', request, ...payload };
    },
    /** The identity was verified, and the screen goes on by itself. */
    identityProved: (state): ContinueState =>
      state.phase === 'proving' ? { phase: 'answering', request: state.request, allow: true } : state,
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

export const continueReducer = slice.reducer;
export const {
  continueEntered,
  requestLoaded,
  requestAnswered,
  identityProved,
  requestUnreached,
  requestRetried,
} = slice.actions;

const before = initialState();

/** The state of the screen. Before the slice exists it is the initial state. */
export const selectContinue = (state: {
  readonly openid?: { readonly request: ContinueState };
}): ContinueState => state.openid?.request ?? before;
