import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { AllowedUrl } from '@shared/ports/ports';
import { locationChanged } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import type { Confirmation } from './confirmations.calls';

/** The payment as it is bound to the proof. */
export type Payment = Confirmation['payment'];

/** How a confirmation has ended. */
export type Ending = Exclude<Confirmation['state'], 'open'>;

/** The methods that the user can use now, in this browser. */
export interface Methods {
  readonly passkey: boolean;
  readonly text: boolean;
}

export type Method = keyof Methods;

/** The fields of the screen while the payment is open. */
interface Open {
  readonly confirmationId: string;
  readonly payment: Payment;
  /** From when each method that waits can be used (ISO 8601). */
  readonly waiting: Readonly<Partial<Record<Method, string>>>;
  /** No method can be used until then (ISO 8601). */
  readonly blockedUntil: string | null;
  /** The user has to verify identity first. */
  readonly needsIdentity: boolean;
  /** Where the page leads after the end; `null`: nowhere. */
  readonly returnUrl: AllowedUrl | null;
  /** When it was read, ms since 1970. */
  readonly readAt: number;
  /** Ms since 1970, by the clock of the browser. */
  readonly expiresAt: number;
  /** The time left until then, s. */
  readonly secondsLeft: number;
}

/** State of `/confirm/{id}`. How the user proves it is in `ProofState`. */
export type PaymentState =
  | { readonly phase: 'loading' }
  | ({ readonly phase: 'open' } & Open)
  /** A method was chosen, and the user verifies identity first. */
  | ({ readonly phase: 'verifying'; readonly by: Method } & Open)
  /** Identity is verified. The screen opens again and continues by itself. */
  | { readonly phase: 'verified'; readonly by: Method; readonly confirmationId: string }
  | ({ readonly phase: Ending } & Pick<Open, 'payment' | 'returnUrl'>)
  /** There was no response. `from` is the phase that 'Try Again' repeats. */
  | { readonly phase: 'unreached'; readonly from: PaymentState };

interface Loaded extends Open {
  readonly status: Confirmation['state'];
  readonly methods: Methods;
}

/** The purpose of verify identity for a payment. */
export const confirmPayment = 'confirm-payment';

const initialState = (): PaymentState => ({ phase: 'loading' });

const slice = createSlice({
  name: 'confirmations',
  initialState,
  reducers: {
    /** The screen was entered. */
    confirmationEntered: initialState,
    /** The payment was read, for the first time or again. */
    confirmationLoaded: (_state, { payload }: PayloadAction<Loaded>): PaymentState => {
      const { status, methods: _ofTheProof, ...open } = payload;
      return status === 'open' ? { phase: 'open', ...open } : ended(open, status);
    },
    confirmationUnreached: (state): PaymentState => ({ phase: 'unreached', from: state }),
    /** 'Try Again' */
    confirmationRetried: (state): PaymentState => (state.phase === 'unreached' ? state.from : state),
    /** The time left, s. The event log leaves it out. */
    timeCounted: {
      prepare: (secondsLeft: number) => ({ payload: secondsLeft, meta: { isTick: true } }),
      reducer: (state, { payload }: PayloadAction<number>): PaymentState =>
        'secondsLeft' in state ? { ...state, secondsLeft: payload } : state,
    },
    /** 'Confirm with a Passkey' or 'Confirm by Text Message', if the user has to verify identity first. */
    identityRequested: (state, { payload }: PayloadAction<{ readonly by: Method }>): PaymentState =>
      state.phase === 'open' ? { ...state, phase: 'verifying', ...payload } : state,
    identityVerified: (state): PaymentState =>
      state.phase === 'verifying'
        ? { phase: 'verified', by: state.by, confirmationId: state.confirmationId }
        : state,
    /** The service does not accept a proof any more, and the state is read again. */
    confirmationClosed: (state) => state,
    confirmationEnded: (
      state,
      { payload: { status } }: PayloadAction<{ readonly status: Ending }>,
    ): PaymentState => ('payment' in state ? ended(state, status) : state),
  },
  extraReducers: (builder) => {
    // The choice lasts for one visit of verify identity, because the address alone must not ask for a proof.
    builder.addCase(locationChanged, (state, { payload: { pathname } }): PaymentState =>
      state.phase === 'verifying' && pathname !== paths.askPassword(confirmPayment) ? initialState() : state,
    );
    // The next user must not see the payment.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

const ended = ({ payment, returnUrl }: Pick<Open, 'payment' | 'returnUrl'>, phase: Ending): PaymentState => ({
  phase,
  payment,
  returnUrl,
});

export const paymentReducer = slice.reducer;
export const {
  confirmationEntered,
  confirmationLoaded,
  confirmationUnreached,
  confirmationRetried,
  timeCounted,
  identityRequested,
  identityVerified,
  confirmationClosed,
  confirmationEnded,
} = slice.actions;

const before = initialState();

/** The state of the screen. Before the slice exists it is the initial state. */
export const selectPayment = (state: {
  readonly confirmations?: { readonly payment: PaymentState };
}): PaymentState => state.confirmations?.payment ?? before;
