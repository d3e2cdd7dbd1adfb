import { createSlice } from '@reduxjs/toolkit';

/** A one-time link on its way to be used up: `/redirect/{id}` and `/secret-key/{hash}`. */
export type OneTimeLinkState =
  /** Waiting to be seen, or for the service. */
  | { readonly phase: 'opening' }
  /** Waiting for a press (decisions §9, `oneTimeLinks: "click"`). */
  | { readonly phase: 'gate' }
  /** The API key and secret are in the vault. */
  | { readonly phase: 'shown'; readonly copied: CopiedValue | null };

/** What was copied last, and whether the browser let us. */
export interface CopiedValue {
  readonly which: 'apiKey' | 'apiSecret';
  readonly outcome: 'copied' | 'refused';
  /** Tells one press from the next. */
  readonly times: number;
}

const slice = createSlice({
  name: 'auth',
  initialState: (): OneTimeLinkState => ({ phase: 'opening' }),
  reducers: {
    linkEntered: (): OneTimeLinkState => ({ phase: 'opening' }),
    linkGateShown: (): OneTimeLinkState => ({ phase: 'gate' }),
    /** The person pressed the button. */
    linkOpened: (): OneTimeLinkState => ({ phase: 'opening' }),
    /** The values are in the vault. */
    apiInviteReceived: (): OneTimeLinkState => ({ phase: 'shown', copied: null }),
    copyRequested: {
      prepare: (which: CopiedValue['which']) => ({ payload: which }),
      reducer: (state: OneTimeLinkState) => state,
    },
    copyEnded: (state, { payload }: { payload: Pick<CopiedValue, 'which' | 'outcome'> }): OneTimeLinkState =>
      state.phase === 'shown'
        ? { phase: 'shown', copied: { ...payload, times: (state.copied?.times ?? 0) + 1 } }
        : state,
  },
});

export const oneTimeLinkReducer = slice.reducer;
export const { linkEntered, linkGateShown, linkOpened, apiInviteReceived, copyRequested, copyEnded } =
  slice.actions;

/** The one-time link's screen. */
export const selectOneTimeLink = (state: {
  readonly auth: { readonly oneTimeLink: OneTimeLinkState };
}): OneTimeLinkState => state.auth.oneTimeLink;
