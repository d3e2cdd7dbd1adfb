import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import {
  confirmationEnded,
  confirmationEntered,
  confirmationLoaded,
  type Methods,
} from './confirmations.slice';
import { elementPermitted, elementsLoaded } from './elements.slice';

/** The code boxes, once a text message was sent. */
interface CodeEntry {
  readonly lastFourPhone: string;
  /** Each increment empties and focuses the boxes. */
  readonly restarts: number;
  /** The request for another text message; `sent` while the notice is shown. */
  readonly resend: 'ready' | 'sending' | 'sent';
}

interface Asked {
  /** The passkey that is to confirm payments; `null` at `/confirm/{id}`. */
  readonly credentialId: string | null;
  readonly methods: Methods;
  readonly entry: CodeEntry | null;
}

/**
 * How the user proves consent: to a payment at `/confirm/{id}`, or on the settings to permit a passkey. Codes and challenges are not in it.
 */
export type ProofState =
  | { readonly phase: 'none' }
  | ({ readonly phase: 'asking' } & Asked)
  /** The browser is asked for a passkey, or a text message is being sent. */
  | ({ readonly phase: 'preparing'; readonly by: 'passkey' | 'text' } & Asked)
  /** A call that may decide is in progress. */
  | ({ readonly phase: 'deciding'; readonly by: 'passkey' | 'code' | 'decline' } & Asked)
  /** The code was wrong, and the boxes are red. */
  | ({ readonly phase: 'rejected' } & Asked);

const initialState = (): ProofState => ({ phase: 'none' });

const slice = createSlice({
  name: 'proof',
  initialState,
  reducers: {
    /** 'Confirm payments with this passkey now' */
    permissionRequested: (
      state,
      { payload }: PayloadAction<{ readonly credentialId: string; readonly methods: Methods }>,
    ): ProofState => (isBusy(state) ? state : { phase: 'asking', ...payload, entry: null }),
    /** The user cancelled the permission, or it cannot go on. */
    permissionEnded: initialState,
    /** 'Confirm with a Passkey' */
    passkeyRequested: (state): ProofState =>
      state.phase === 'asking' && state.methods.passkey
        ? { ...state, phase: 'preparing', by: 'passkey' }
        : state,
    /** The browser has given a passkey. */
    passkeyGiven: (state): ProofState =>
      state.phase === 'preparing' ? { ...state, phase: 'deciding', by: 'passkey' } : state,
    /** 'Confirm by Text Message' */
    textRequested: (state): ProofState =>
      state.phase === 'asking' && state.methods.text && !state.entry
        ? { ...state, phase: 'preparing', by: 'text' }
        : state,
    textSent: (state, { payload }: PayloadAction<Pick<CodeEntry, 'lastFourPhone'>>): ProofState =>
      state.phase === 'preparing'
        ? asking({ ...state, entry: { ...payload, restarts: 0, resend: 'ready' } })
        : state,
    /** The code is in `meta.secret`, never in the payload. */
    codeSubmitted: {
      prepare: (code: string) => ({ payload: undefined, meta: { secret: code } }),
      reducer: (state): ProofState =>
        state.phase === 'asking' && state.entry ? { ...state, phase: 'deciding', by: 'code' } : state,
    },
    codeRejected: (state): ProofState =>
      state.phase === 'deciding' ? { ...withoutBy(state), phase: 'rejected' } : state,
    /** The boxes are empty again, with the focus in the first. */
    codeEntryRestarted: (state): ProofState =>
      (state.phase === 'rejected' || state.phase === 'asking') && state.entry
        ? { ...state, phase: 'asking', entry: { ...state.entry, restarts: state.entry.restarts + 1 } }
        : state,
    /** 'Resend' */
    newCodeRequested: (state): ProofState =>
      (state.phase === 'rejected' || state.phase === 'asking') && state.entry?.resend === 'ready'
        ? { ...state, entry: { ...state.entry, resend: 'sending' } }
        : state,
    newCodeSent: (state): ProofState => withResend(state, 'sent'),
    newCodeRefused: (state): ProofState => withResend(state, 'ready'),
    /** The notice of the new code is over. */
    newCodeNoticeEnded: (state): ProofState => withResend(state, 'ready'),
    /** 'Decline' */
    paymentDeclined: (state): ProofState =>
      state.phase === 'asking' ? { ...state, phase: 'deciding', by: 'decline' } : state,
    /** The attempt was cancelled, refused or without a response. It can be repeated. */
    attemptEnded: (state): ProofState =>
      state.phase === 'preparing' || state.phase === 'deciding' ? asking(state) : state,
  },
  extraReducers: (builder) => {
    // The boxes stay when the payment is read again, because the text message may still arrive.
    builder.addCase(
      confirmationLoaded,
      (state, { payload: { status, methods, needsIdentity } }): ProofState =>
        status === 'open'
          ? {
              phase: 'asking',
              credentialId: null,
              methods,
              entry: methods.text && !needsIdentity ? kept(state) : null,
            }
          : initialState(),
    );
    builder.addCase(elementsLoaded, (state, { payload: { waiting } }): ProofState => {
      if (state.phase === 'none' || state.credentialId === null) return state;
      return waiting.some(({ credentialId }) => credentialId === state.credentialId) ? state : initialState();
    });
    builder.addMatcher(
      isAnyOf(confirmationEntered, confirmationEnded, elementPermitted, sessionEnded, setupStarted),
      initialState,
    );
  },
});

/** The boxes without what was in progress. */
function kept(state: ProofState): CodeEntry | null {
  if (state.phase === 'none' || !state.entry) return null;
  const { entry, phase } = state;
  return { ...entry, restarts: entry.restarts + (phase === 'rejected' ? 1 : 0), resend: 'ready' };
}

type Busy = Extract<ProofState, { readonly by: string }>;

const isBusy = (state: ProofState): state is Busy => 'by' in state;

function withoutBy({ by: _over, ...state }: Busy): Asked {
  return state;
}

const asking = (state: Busy): ProofState => ({ ...withoutBy(state), phase: 'asking' });

function withResend(state: ProofState, resend: CodeEntry['resend']): ProofState {
  return 'entry' in state && state.entry ? { ...state, entry: { ...state.entry, resend } } : state;
}

export const proofReducer = slice.reducer;
export const {
  permissionRequested,
  permissionEnded,
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
} = slice.actions;

interface Root {
  readonly confirmations?: { readonly proof: ProofState };
}

const before = initialState();

/** The proof. Before the slice exists, there is none. */
export const selectProof = (state: Root): ProofState => state.confirmations?.proof ?? before;

/** What is in progress: `by` of the phase, or `null`. */
export function selectWork(state: Root): Busy['by'] | null {
  const proof = selectProof(state);
  return isBusy(proof) ? proof.by : null;
}

/** Whether a request for another text message is pending. */
export function selectIsNewCodeAsked(state: Root): boolean {
  const proof = selectProof(state);
  return 'entry' in proof && proof.entry?.resend === 'sending';
}
