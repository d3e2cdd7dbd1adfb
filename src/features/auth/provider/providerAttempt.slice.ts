import type { Failure } from '@features/ui-dialogs';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Provider } from '@shared/ports/ports';

/** A provider's window that is open, or was blocked; `null`: none. */
export type ProviderAttemptState = {
  readonly method: Provider;
  /**
   * `maybeClosed`: `closed` is true, which is only a hint. `closed`: the dialog has said that the attempt failed, and a
   * code may still arrive. See docs/behaviour.md#provider-window.
   */
  readonly status: 'blocked' | 'waiting' | 'maybeClosed' | 'closed';
  /** How often the browser has blocked a window, of any provider. */
  readonly blocks: number;
} | null;

/** The provider attempt of a screen that signs in or verifies identity. */
const slice = createSlice({
  name: 'providerAttempt',
  initialState: (): ProviderAttemptState => null,
  reducers: {
    /** The button of a provider was pressed. The saga opens the window if the screen offers that provider. */
    providerRequested: (state, _action: PayloadAction<Provider>) => state,
    providerWindowOpened: (state, { payload }: PayloadAction<Provider>): ProviderAttemptState => ({
      method: payload,
      status: 'waiting',
      blocks: state?.blocks ?? 0,
    }),
    /** The browser opened no window. */
    providerWindowBlocked: (state, { payload }: PayloadAction<Provider>): ProviderAttemptState => ({
      method: payload,
      status: 'blocked',
      blocks: (state?.blocks ?? 0) + 1,
    }),
    providerWindowMaybeClosed: (state): ProviderAttemptState => state && { ...state, status: 'maybeClosed' },
    /** The attempt failed. The payload is for the dialog. */
    providerAttemptFailed: (state, _action: PayloadAction<Failure>): ProviderAttemptState =>
      state && { ...state, status: 'closed' },
    /** The attempt ended without a code. The text about a blocked window stays. */
    providerAttemptEnded: (state): ProviderAttemptState => (state?.status === 'blocked' ? state : null),
    /** Cancel was pressed. */
    providerAbandoned: (): ProviderAttemptState => null,
    /** The code arrived and is about to be exchanged. */
    providerCodeReceived: (_state, _action: PayloadAction<Provider>): ProviderAttemptState => null,
    /** The attempts of the screen have ended: it was left, or a password was submitted. */
    providerAttemptsClosed: (): ProviderAttemptState => null,
  },
});

export const providerAttemptReducer = slice.reducer;
export const {
  providerRequested,
  providerWindowOpened,
  providerWindowBlocked,
  providerWindowMaybeClosed,
  providerAttemptFailed,
  providerAttemptEnded,
  providerAbandoned,
  providerCodeReceived,
  providerAttemptsClosed,
} = slice.actions;

interface AuthRoot {
  readonly auth: { readonly providerAttempt: ProviderAttemptState };
}

/** The provider's window that is open, or was blocked. */
export const selectProviderAttempt = (state: AuthRoot): ProviderAttemptState => state.auth.providerAttempt;

/** Whether a provider's window may be open. */
export const selectIsAtProvider = (state: AuthRoot): boolean => {
  const status = state.auth.providerAttempt?.status;
  return status === 'waiting' || status === 'maybeClosed';
};
