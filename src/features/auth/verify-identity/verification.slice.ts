import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Provider } from '@shared/platform/platform';
import { windowOf, type ProviderAttempt } from '../sign-in/signIn.slice';

/** What identity is proved for; `setup` needs no proof: the token carries `isMfaSetup` (decisions §9, §15). */
export type VerificationPurpose = 'enable' | 'disable' | 'changePassword' | 'setup';

/** How the person on the verify-identity screen proves who they are. */
export type Proof =
  /** `failures` counts refused passwords, so that the field can empty itself after each. */
  | { readonly by: 'password'; readonly failures: number }
  | {
      readonly by: 'provider';
      /** `null`: not known, its configuration is on its way or could not be had. */
      readonly provider: Provider | null;
      /** The provider's window, while there is one. */
      readonly window: Omit<ProviderAttempt, 'method'> | null;
    };

/** The verify-identity screen (specification §2). */
export type VerifyIdentityState =
  | { readonly phase: 'closed' }
  /** A provider's configuration is being fetched. */
  | { readonly phase: 'preparing'; readonly proof: Proof }
  | { readonly phase: 'asking'; readonly proof: Proof }
  /** The proof was sent, or what it is for is being carried out. */
  | { readonly phase: 'checking'; readonly proof: Proof };

/** The 180 s that a proof of identity lasts (specification §4, verification token timer); `null`: there is none. */
export type VerificationPeriod = {
  readonly purpose: VerificationPurpose;
  /** Ms since the epoch. */
  readonly expiresAt: number;
  /** The last 30 s have begun. */
  readonly isExpiring: boolean;
} | null;

/** Verify identity: the screen, and the period that it opens. The token itself is in the vault. */
export interface VerificationState {
  readonly screen: VerifyIdentityState;
  readonly period: VerificationPeriod;
}

const slice = createSlice({
  name: 'auth',
  initialState: (): VerificationState => ({ screen: { phase: 'closed' }, period: null }),
  reducers: {
    verifyIdentityEntered: (
      state,
      { payload }: PayloadAction<'password' | 'provider'>,
    ): VerificationState => ({
      ...state,
      screen:
        payload === 'password'
          ? { phase: 'asking', proof: { by: 'password', failures: 0 } }
          : { phase: 'preparing', proof: { by: 'provider', provider: null, window: null } },
    }),
    verifyIdentityLeft: (state): VerificationState => ({ ...state, screen: { phase: 'closed' } }),
    /** The service told by which provider this account signs in; `null`: it could not. */
    identityProviderKnown: (state, { payload }: PayloadAction<Provider | null>): VerificationState =>
      state.screen.phase === 'preparing'
        ? withScreen(state, {
            phase: 'asking',
            proof: { by: 'provider', provider: payload, window: null },
          })
        : state,
    /** The password travels in `meta.secret`. */
    identityPasswordSubmitted: {
      prepare: (password: string) => ({ payload: undefined, meta: { secret: password } }),
      reducer: (state): VerificationState =>
        state.screen.phase === 'asking' && state.screen.proof.by === 'password'
          ? withScreen(state, { ...state.screen, phase: 'checking' })
          : state,
    },
    /** Next, for somebody who signs in through a provider: its window opens, or its configuration is asked for again. */
    identityProviderRequested: (state): VerificationState => {
      const { screen } = state;
      if (screen.phase !== 'asking' || screen.proof.by !== 'provider') return state;
      return screen.proof.provider === null
        ? withScreen(state, { ...screen, phase: 'preparing' })
        : withWindow(state, 'waiting');
    },
    identityProviderBlocked: (state): VerificationState => withWindow(state, 'blocked'),
    identityProviderMaybeClosed: (state): VerificationState => withWindow(state, 'maybeClosed'),
    /** The person gave up waiting for the provider's window. */
    identityProviderAbandoned: (state): VerificationState => withWindow(state, null),
    /** Nobody listens for the window any more. The line about a blocked one stays. */
    identityProviderEnded: (state): VerificationState =>
      state.screen.phase === 'asking' &&
      state.screen.proof.by === 'provider' &&
      state.screen.proof.window?.status === 'blocked'
        ? state
        : withWindow(state, null),
    identityCodeReceived: (state): VerificationState => {
      const { screen } = state;
      return screen.phase === 'asking' && screen.proof.by === 'provider'
        ? { ...state, screen: { phase: 'checking', proof: { ...screen.proof, window: null } } }
        : state;
    },
    /** The service did not take the proof, or what it was for failed; the payload is what the dialog says. */
    identityRefused: (state, _action: PayloadAction<string>): VerificationState => {
      const { screen } = state;
      if (screen.phase !== 'checking') return state;
      const { proof } = screen;
      return withScreen(state, {
        phase: 'asking',
        proof: proof.by === 'password' ? { ...proof, failures: proof.failures + 1 } : proof,
      });
    },
    /** Identity is proved, or need not be: the 180 s run. */
    verificationStarted: (
      state,
      { payload }: PayloadAction<{ readonly purpose: VerificationPurpose; readonly expiresAt: number }>,
    ): VerificationState => ({ ...state, period: { ...payload, isExpiring: false } }),
    /** The last 30 s have begun. */
    verificationExpiring: (state): VerificationState =>
      state.period ? { ...state, period: { ...state.period, isExpiring: true } } : state,
    /** What the proof is for is being done: the period does not run out under it. */
    verificationHeld: (state) => state,
    /** It was not done; the period goes on as if it had not been held. */
    verificationReleased: (state) => state,
    /** What the proof was for is done. */
    verificationUsed: (state) => state,
    /** The period is over: used, left, or run out. */
    verificationEnded: (state): VerificationState => ({ ...state, period: null }),
  },
});

function withScreen(state: VerificationState, screen: VerifyIdentityState): VerificationState {
  return { ...state, screen };
}

function withWindow(state: VerificationState, status: ProviderAttempt['status'] | null): VerificationState {
  const { screen } = state;
  if (screen.phase !== 'asking' || screen.proof.by !== 'provider') return state;
  const window = status && windowOf(status, screen.proof.window);
  return withScreen(state, { phase: 'asking', proof: { ...screen.proof, window } });
}

export const verificationReducer = slice.reducer;
export const {
  verifyIdentityEntered,
  verifyIdentityLeft,
  identityProviderKnown,
  identityPasswordSubmitted,
  identityProviderRequested,
  identityProviderBlocked,
  identityProviderMaybeClosed,
  identityProviderAbandoned,
  identityProviderEnded,
  identityCodeReceived,
  identityRefused,
  verificationStarted,
  verificationExpiring,
  verificationHeld,
  verificationReleased,
  verificationUsed,
  verificationEnded,
} = slice.actions;

interface AuthRoot {
  readonly auth: { readonly verification: VerificationState };
}

/** The verify-identity screen's state. */
export const selectVerifyIdentity = (state: AuthRoot): VerifyIdentityState => state.auth.verification.screen;
/** The period in which a proof of identity counts. */
export const selectVerificationPeriod = (state: AuthRoot): VerificationPeriod =>
  state.auth.verification.period;
