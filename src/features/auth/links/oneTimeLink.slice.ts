import { createSlice } from '@reduxjs/toolkit';

/** State of `/redirect/{id}` and `/secret-key/{hash}`. */
type OneTimeLinkState =
  /** The page waits until it is visible, or for the service. */
  | { readonly phase: 'opening' }
  /** The page waits for a press (`oneTimeLinks: "click"`). */
  | { readonly phase: 'gate' }
  /** API key and secret are in the vault. */
  | { readonly phase: 'shown'; readonly copied: CopiedValue | null };

/** The value that was copied last, and whether the browser allowed it. */
export interface CopiedValue {
  readonly which: 'apiKey' | 'apiSecret';
  readonly outcome: 'copied' | 'refused';
  /** The number of presses. It distinguishes one press from the next. */
  readonly times: number;
}

const slice = createSlice({
  name: 'oneTimeLink',
  initialState: (): OneTimeLinkState => ({ phase: 'opening' }),
  reducers: {
    linkEntered: (): OneTimeLinkState => ({ phase: 'opening' }),
    linkGateShown: (): OneTimeLinkState => ({ phase: 'gate' }),
    /** The button was pressed. */
    linkOpened: (): OneTimeLinkState => ({ phase: 'opening' }),
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

/** State of a one-time link. */
export const selectOneTimeLink = (state: {
  readonly auth: { readonly oneTimeLink: OneTimeLinkState };
}): OneTimeLinkState => state.auth.oneTimeLink;
