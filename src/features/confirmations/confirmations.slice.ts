import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { Confirmation } from './confirmations.calls';

/** The payment as it is bound to the proof. */
export type Payment = Confirmation['payment'];

/** How a confirmation has ended. */
export type Ending = Exclude<Confirmation['state'], 'open'>;

/** How the user can confirm the payment, here and now. */
export interface Methods {
  readonly passkey: boolean;
  readonly text: boolean;
}

/** The code boxes, once a text message was sent. */
interface CodeEntry {
  readonly lastFourPhone: string;
  /** Each increment empties and focuses the boxes. */
  readonly restarts: number;
  /** The request for another text message; `sent` while the notice is shown. */
  readonly resend: 'ready' | 'sending' | 'sent';
}

/** The fields of the screen while the payment is open. */
interface Open {
  readonly payment: Payment;
  readonly methods: Methods;
  readonly entry: CodeEntry | null;
}

/** State of `/confirm/{id}`. Codes and challenges are not in it. */
export type ConfirmationsState =
  | { readonly phase: 'loading' }
  | ({ readonly phase: 'asking' } & Open)
  /** The browser is asked for a passkey, or a text message is being sent. */
  | ({ readonly phase: 'preparing'; readonly by: 'passkey' | 'text' } & Open)
  /** A call that may end the confirmation is in progress. */
  | ({ readonly phase: 'deciding'; readonly by: 'passkey' | 'code' | 'decline' } & Open)
  /** The code was wrong, and the boxes are red. */
  | ({ readonly phase: 'rejected' } & Open)
  | { readonly phase: Ending; readonly payment: Payment }
  /** There was no response. `from` is the phase that 'Try Again' repeats. */
  | { readonly phase: 'unreached'; readonly from: ConfirmationsState };

interface Loaded {
  readonly status: Confirmation['state'];
  readonly payment: Payment;
  readonly methods: Methods;
}

const initialState = (): ConfirmationsState => ({ phase: 'loading' });

const slice = createSlice({
  name: 'confirmations',
  initialState,
  reducers: {
    /** The screen was entered. */
    confirmationEntered: initialState,
    /** The payment was read, for the first time or again. The boxes stay: the code may still be on its way. */
    confirmationLoaded: (state, { payload }: PayloadAction<Loaded>): ConfirmationsState => {
      const { status, ...given } = payload;
      if (status !== 'open') return { phase: status, payment: given.payment };
      return { phase: 'asking', ...given, entry: 'entry' in state ? kept(state) : null };
    },
    confirmationUnreached: (state): ConfirmationsState => ({ phase: 'unreached', from: state }),
    /** 'Try Again' */
    confirmationRetried: (state): ConfirmationsState => (state.phase === 'unreached' ? state.from : state),
    /** 'Confirm with a Passkey' */
    passkeyRequested: (state): ConfirmationsState =>
      state.phase === 'asking' && state.methods.passkey
        ? { ...state, phase: 'preparing', by: 'passkey' }
        : state,
    /** The browser has given a passkey. */
    passkeyGiven: (state): ConfirmationsState =>
      state.phase === 'preparing' ? { ...state, phase: 'deciding', by: 'passkey' } : state,
    /** 'Confirm by Text Message' */
    textRequested: (state): ConfirmationsState =>
      state.phase === 'asking' && state.methods.text && !state.entry
        ? { ...state, phase: 'preparing', by: 'text' }
        : state,
    textSent: (state, { payload }: PayloadAction<Pick<CodeEntry, 'lastFourPhone'>>): ConfirmationsState =>
      state.phase === 'preparing'
        ? asking({ ...state, entry: { ...payload, restarts: 0, resend: 'ready' } })
        : state,
    /** The code is in `meta.secret`, never in the payload. */
    codeSubmitted: {
      prepare: (code: string) => ({ payload: undefined, meta: { secret: code } }),
      reducer: (state): ConfirmationsState =>
        state.phase === 'asking' && state.entry ? { ...state, phase: 'deciding', by: 'code' } : state,
    },
    codeRejected: (state): ConfirmationsState =>
      state.phase === 'deciding' ? { ...withoutBy(state), phase: 'rejected' } : state,
    /** The boxes are empty again, with the focus in the first. */
    codeEntryRestarted: (state): ConfirmationsState =>
      (state.phase === 'rejected' || state.phase === 'asking') && state.entry
        ? { ...state, phase: 'asking', entry: { ...state.entry, restarts: state.entry.restarts + 1 } }
        : state,
    /** 'Resend' */
    newCodeRequested: (state): ConfirmationsState =>
      (state.phase === 'rejected' || state.phase === 'asking') && state.entry?.resend === 'ready'
        ? { ...state, entry: { ...state.entry, resend: 'sending' } }
        : state,
    newCodeSent: (state): ConfirmationsState => withResend(state, 'sent'),
    newCodeRefused: (state): ConfirmationsState => withResend(state, 'ready'),
    /** The notice of the new code is over. */
    newCodeNoticeEnded: (state): ConfirmationsState => withResend(state, 'ready'),
    /** 'Decline' */
    paymentDeclined: (state): ConfirmationsState =>
      state.phase === 'asking' ? { ...state, phase: 'deciding', by: 'decline' } : state,
    /** The attempt was cancelled, refused or without a response. The payment is still open. */
    attemptEnded: (state): ConfirmationsState =>
      state.phase === 'preparing' || state.phase === 'deciding' ? asking(state) : state,
    /** The service does not accept a proof any more, and the state is read again. */
    confirmationClosed: (state) => state,
    confirmationEnded: (
      state,
      { payload: { status } }: PayloadAction<{ readonly status: Ending }>,
    ): ConfirmationsState => ('payment' in state ? { phase: status, payment: state.payment } : state),
  },
  extraReducers: (builder) => {
    // The next user must not see the payment.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

/** The boxes without what was in progress. */
function kept({ phase, entry }: Open & { readonly phase: string }): CodeEntry | null {
  return entry && { ...entry, restarts: entry.restarts + (phase === 'rejected' ? 1 : 0), resend: 'ready' };
}

type Busy = Extract<ConfirmationsState, { readonly by: string }>;

function withoutBy({ by: _over, ...state }: Busy): Open {
  return state;
}

const asking = (state: Busy): ConfirmationsState => ({ ...withoutBy(state), phase: 'asking' });

function withResend(state: ConfirmationsState, resend: CodeEntry['resend']): ConfirmationsState {
  return 'entry' in state && state.entry ? { ...state, entry: { ...state.entry, resend } } : state;
}

export const { reducer } = slice;
export const {
  confirmationEntered,
  confirmationLoaded,
  confirmationUnreached,
  confirmationRetried,
  passkeyRequested,
  passkeyGiven,
  textRequested,
  textSent,
  codeSubmitted,
  codeRejected,
  codeEntryRestarted,
  newCodeRequested,
  newCodeSent,
  newCodeRefused,
  newCodeNoticeEnded,
  paymentDeclined,
  attemptEnded,
  confirmationClosed,
  confirmationEnded,
} = slice.actions;

const before = initialState();

/** The state of the screen. Before the slice exists it is the initial state. */
export const selectConfirmation = (state: {
  readonly confirmations?: ConfirmationsState;
}): ConfirmationsState => state.confirmations ?? before;

/** What is in progress: `by` of the phase, or `null`. */
export function selectWork(state: Parameters<typeof selectConfirmation>[0]): Busy['by'] | null {
  const confirmation = selectConfirmation(state);
  return 'by' in confirmation ? confirmation.by : null;
}

/** Whether a request for another text message is pending. */
export function selectIsNewCodeAsked(state: Parameters<typeof selectConfirmation>[0]): boolean {
  const confirmation = selectConfirmation(state);
  return 'entry' in confirmation && confirmation.entry?.resend === 'sending';
}
