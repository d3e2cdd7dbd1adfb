import type { Failure } from '@features/ui-dialogs';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Provider } from '@shared/ports/ports';
import { wayEnded, wayRequested } from '@shared/slots';
import { providerCodeReceived } from '../provider/providerAttempt.slice';

/** How the user proves their identity. */
export type Proof =
  /** `failures` counts the refused passwords. Each one empties the field. */
  | { readonly by: 'password'; readonly failures: number }
  | {
      readonly by: 'provider';
      /** The provider that the user signed in with, if it is known. */
      readonly known: Provider | null;
      /** The providers to choose from. The list is empty while it is being loaded and after a failure. */
      readonly providers: readonly Provider[];
      /** The provider whose code is being checked. */
      readonly checked: Provider | null;
    };

/** The verify-identity screen. See docs/behaviour.md#proof-of-identity. */
type VerifyIdentityState =
  | { readonly phase: 'closed' }
  /** The provider's configuration is being loaded. */
  | { readonly phase: 'preparing'; readonly proof: Proof }
  | { readonly phase: 'asking'; readonly proof: Proof }
  /** Another way is in progress instead of this proof. After a success the phase lasts until the screen is left. */
  | { readonly phase: 'otherWay'; readonly way: string; readonly proof: Proof }
  /** The proof is being checked, or its purpose is being carried out. */
  | { readonly phase: 'checking'; readonly proof: Proof };

/** The time in which a proof of identity counts. See docs/behaviour.md#verification-period. */
type VerificationPeriod = {
  /** What identity was verified for: the name of a `Purpose`. */
  readonly purpose: string;
  /** Ms since the epoch. */
  readonly expiresAt: number;
  /** The last 30 s have begun. */
  readonly isExpiring: boolean;
} | null;

/** The screen, and the period that it starts. The verification token is in the vault. */
interface VerificationState {
  readonly screen: VerifyIdentityState;
  readonly period: VerificationPeriod;
}

const slice = createSlice({
  name: 'verification',
  initialState: (): VerificationState => ({ screen: { phase: 'closed' }, period: null }),
  reducers: {
    /** `provider`: the user signed in with an unknown provider. */
    verifyIdentityEntered: (
      state,
      { payload }: PayloadAction<'password' | Provider | 'provider'>,
    ): VerificationState => ({
      ...state,
      screen:
        payload === 'password'
          ? { phase: 'asking', proof: { by: 'password', failures: 0 } }
          : {
              phase: 'preparing',
              proof: {
                by: 'provider',
                known: payload === 'provider' ? null : payload,
                providers: [],
                checked: null,
              },
            },
    }),
    verifyIdentityLeft: (state): VerificationState => ({ ...state, screen: { phase: 'closed' } }),
    /** The providers with which this user may prove the identity. */
    identityProvidersKnown: (state, { payload }: PayloadAction<readonly Provider[]>): VerificationState =>
      state.screen.phase === 'preparing' && state.screen.proof.by === 'provider'
        ? withScreen(state, { phase: 'asking', proof: { ...state.screen.proof, providers: payload } })
        : state,
    /** The password is in `meta.secret`, never in the payload. */
    identityPasswordSubmitted: {
      prepare: (password: string) => ({ payload: undefined, meta: { secret: password } }),
      reducer: (state): VerificationState =>
        state.screen.phase === 'asking' && state.screen.proof.by === 'password'
          ? withScreen(state, { ...state.screen, phase: 'checking' })
          : state,
    },
    /** 'Next' was pressed before the providers were known. They are loaded again. */
    identityProvidersRequested: (state): VerificationState =>
      state.screen.phase === 'asking' && state.screen.proof.by === 'provider'
        ? withScreen(state, { ...state.screen, phase: 'preparing' })
        : state,
    /** The proof was refused, the providers could not be loaded, or the purpose failed. The payload is for the dialog. */
    identityRefused: (state, _action: PayloadAction<Failure>): VerificationState => {
      const { screen } = state;
      if (screen.phase === 'otherWay' || screen.phase === 'preparing')
        return withScreen(state, { phase: 'asking', proof: screen.proof });
      if (screen.phase !== 'checking') return state;
      const { proof } = screen;
      return withScreen(state, {
        phase: 'asking',
        proof:
          proof.by === 'password' ? { ...proof, failures: proof.failures + 1 } : { ...proof, checked: null },
      });
    },
    /** The period begins, because identity is proved or no proof is needed. */
    verificationStarted: (
      state,
      { payload }: PayloadAction<{ readonly purpose: string; readonly expiresAt: number }>,
    ): VerificationState => ({ ...state, period: { ...payload, isExpiring: false } }),
    /** The last 30 s have begun. */
    verificationExpiring: (state): VerificationState =>
      state.period ? { ...state, period: { ...state.period, isExpiring: true } } : state,
    /** The call that needs the proof is pending: the period is suspended. */
    verificationHeld: (state) => state,
    /** The call that used the proof failed. The period continues as if it had not been suspended. */
    verificationReleased: (state) => state,
    /** The call that used the proof succeeded. */
    verificationUsed: (state) => state,
    /** The period has ended: the proof was used, the screen was left, or the time is up. */
    verificationEnded: (state): VerificationState => ({ ...state, period: null }),
  },
  extraReducers: (builder) => {
    builder.addCase(wayRequested, (state, { payload }): VerificationState =>
      state.screen.phase === 'asking'
        ? withScreen(state, { ...state.screen, phase: 'otherWay', way: payload })
        : state,
    );
    builder.addCase(wayEnded, (state): VerificationState =>
      state.screen.phase === 'otherWay'
        ? withScreen(state, { phase: 'asking', proof: state.screen.proof })
        : state,
    );
    builder.addCase(providerCodeReceived, (state, { payload }): VerificationState => {
      const { screen } = state;
      return screen.phase === 'asking' && screen.proof.by === 'provider'
        ? withScreen(state, { phase: 'checking', proof: { ...screen.proof, checked: payload } })
        : state;
    });
  },
});

function withScreen(state: VerificationState, screen: VerifyIdentityState): VerificationState {
  return { ...state, screen };
}

export const verificationReducer = slice.reducer;
export const {
  verifyIdentityEntered,
  verifyIdentityLeft,
  identityProvidersKnown,
  identityPasswordSubmitted,
  identityProvidersRequested,
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

/** State of the verify-identity screen. */
export const selectVerifyIdentity = (state: AuthRoot): VerifyIdentityState => state.auth.verification.screen;
/** The verification period; `null`: none. */
export const selectVerificationPeriod = (state: AuthRoot): VerificationPeriod =>
  state.auth.verification.period;
