import type { Failure } from '@features/ui-dialogs';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { TwoStepMethod } from '@shared/api/decoders';

/** Countries of phone numbers that can be set up: docs/behaviour.md#phone. */
export type PhoneCountry = 'US' | 'GB';

/** A phone number as it was typed, kept for a return to its step. */
export interface PhoneEntry {
  readonly country: PhoneCountry;
  readonly text: string;
}

/** A phone number as it is sent. */
export interface PhoneNumber {
  /** E.164: `+12025550143`. */
  readonly phone: string;
  readonly countryCode: PhoneCountry;
}

/** Whether the key was copied; `times` tells one press from the next. */
export interface KeyCopy {
  readonly outcome: 'copied' | 'refused';
  readonly times: number;
}

/** The code step: its method, and the state of the code boxes. */
type CodeStep = {
  /** `true` for 1.5 s after a wrong code. */
  readonly red: boolean;
  /** The number of times that the boxes were emptied. */
  readonly restarts: number;
} & (
  | { readonly method: 'text'; readonly entry: PhoneEntry; readonly lastFourPhone: string }
  | { readonly method: 'app' }
);

/** The enrolment as phases: docs/behaviour.md#two-step-verification. Key and QR address are in the vault. */
export type EnrolmentState =
  | { readonly phase: 'none' }
  /** A method was chosen; identity may still have to be verified. */
  | { readonly phase: 'chosen'; readonly method: TwoStepMethod }
  | {
      readonly phase: 'phone';
      readonly method: 'text';
      readonly entry: PhoneEntry;
      /** The submitted text is not a phone number. */
      readonly refused: boolean;
    }
  | { readonly phase: 'sendingPhone'; readonly method: 'text'; readonly entry: PhoneEntry }
  | { readonly phase: 'loadingKey'; readonly method: 'app' }
  | { readonly phase: 'keyFailed'; readonly method: 'app' }
  | { readonly phase: 'keyShown'; readonly method: 'app'; readonly copy: KeyCopy | null }
  | ({ readonly phase: 'code' } & CodeStep)
  | ({ readonly phase: 'verifying' } & CodeStep);

/** The screens of the enrolment. */
export type EnrolmentStep = 'phone' | 'app' | 'code';

/** Initial values of the phone step: the default country, no number. */
const emptyEntry: PhoneEntry = { country: 'US', text: '' };

const initialState: EnrolmentState = { phase: 'none' };

const slice = createSlice({
  name: 'enrolment',
  initialState: (): EnrolmentState => initialState,
  reducers: {
    /** A method was chosen on `/mfa-options`, or Change Number or Add New App was pressed. */
    enrolmentMethodChosen: (
      _state,
      { payload }: PayloadAction<{ readonly method: TwoStepMethod }>,
    ): EnrolmentState => ({ phase: 'chosen', method: payload.method }),
    /** A step's screen was entered, for the first time or again. */
    enrolmentStepEntered: (state, { payload: step }: PayloadAction<EnrolmentStep>): EnrolmentState =>
      atStep(state, step),
    /** A field was left, a country chosen, or a refused text changed. */
    phoneEdited: (state, { payload }: PayloadAction<PhoneEntry>): EnrolmentState =>
      state.phase === 'phone'
        ? { ...state, entry: payload, refused: state.refused && isSame(state.entry, payload) }
        : state,
    /** The submitted text is not a phone number of our countries. */
    phoneRefused: (state, { payload }: PayloadAction<PhoneEntry>): EnrolmentState =>
      state.phase === 'phone' ? { ...state, entry: payload, refused: true } : state,
    phoneSubmitted: (
      state,
      { payload }: PayloadAction<{ readonly entry: PhoneEntry; readonly number: PhoneNumber }>,
    ): EnrolmentState =>
      state.phase === 'phone' ? { phase: 'sendingPhone', method: 'text', entry: payload.entry } : state,
    /** The service refused the number, or could not be reached. The payload is for the dialog. */
    phoneFailed: (state, _action: PayloadAction<Failure>): EnrolmentState =>
      state.phase === 'sendingPhone' ? { ...state, phase: 'phone', refused: false } : state,
    /** A text message is on its way. */
    codeSent: (state, { payload }: PayloadAction<{ readonly lastFourPhone: string }>): EnrolmentState =>
      state.phase === 'sendingPhone'
        ? { ...state, ...payload, phase: 'code', red: false, restarts: 0 }
        : state,
    /** 'Try Again' was pressed, after the key could not be loaded. */
    keyRequested: (state): EnrolmentState =>
      state.phase === 'keyFailed' ? { phase: 'loadingKey', method: 'app' } : state,
    /** The vault holds key and QR address. */
    keyReceived: (state): EnrolmentState =>
      state.phase === 'loadingKey' ? { phase: 'keyShown', method: 'app', copy: null } : state,
    /** Payload: for the dialog. */
    keyFailed: (state, _action: PayloadAction<Failure>): EnrolmentState =>
      state.phase === 'loadingKey' ? { phase: 'keyFailed', method: 'app' } : state,
    keyCopyRequested: (state) => state,
    keyCopyEnded: (state, { payload: outcome }: PayloadAction<KeyCopy['outcome']>): EnrolmentState =>
      state.phase === 'keyShown'
        ? { ...state, copy: { outcome, times: (state.copy?.times ?? 0) + 1 } }
        : state,
    /** The code is in `meta.secret`, never in the payload. */
    enrolmentCodeSubmitted: {
      prepare: (code: string) => ({ payload: undefined, meta: { secret: code } }),
      reducer: (state): EnrolmentState =>
        state.phase === 'code' && !state.red ? { ...state, phase: 'verifying' } : state,
    },
    /** The code was wrong. */
    enrolmentCodeRejected: (state): EnrolmentState =>
      state.phase === 'verifying' ? { ...state, phase: 'code', red: true } : state,
    /** The code could not be checked. The payload is for the dialog. */
    enrolmentCodeFailed: (state, _action: PayloadAction<Failure>): EnrolmentState =>
      state.phase === 'verifying' ? { ...state, phase: 'code' } : state,
    /** The boxes are empty again, with the focus in the first. */
    enrolmentCodeCleared: (state): EnrolmentState =>
      state.phase === 'code' ? { ...state, red: false, restarts: state.restarts + 1 } : state,
    /** Two-step verification is on with this method. */
    factorActivated: (_state, _action: PayloadAction<{ readonly method: TwoStepMethod }>): EnrolmentState =>
      initialState,
    /** The enrolment was left. */
    enrolmentDropped: (): EnrolmentState => initialState,
  },
});

const isSame = (one: PhoneEntry, other: PhoneEntry): boolean =>
  one.country === other.country && one.text === other.text;

/** The state of a step that was entered. A step that is entered again keeps what was typed and has no call in progress. */
function atStep(state: EnrolmentState, step: EnrolmentStep): EnrolmentState {
  if (!('method' in state)) return state;
  if (step === 'phone' && state.method === 'text')
    return {
      phase: 'phone',
      method: 'text',
      entry: 'entry' in state ? state.entry : emptyEntry,
      refused: state.phase === 'phone' && state.refused,
    };
  if (step === 'app' && state.method === 'app') return { phase: 'loadingKey', method: 'app' };
  return step === 'code' ? atCode(state) : state;
}

function atCode(state: EnrolmentState): EnrolmentState {
  if (state.phase === 'code' || state.phase === 'verifying') return { ...state, phase: 'code', red: false };
  return state.phase === 'keyShown' ? { phase: 'code', method: 'app', red: false, restarts: 0 } : state;
}

export const enrolmentReducer = slice.reducer;
export const {
  enrolmentMethodChosen,
  enrolmentStepEntered,
  phoneEdited,
  phoneRefused,
  phoneSubmitted,
  phoneFailed,
  codeSent,
  keyRequested,
  keyReceived,
  keyFailed,
  keyCopyRequested,
  keyCopyEnded,
  enrolmentCodeSubmitted,
  enrolmentCodeRejected,
  enrolmentCodeFailed,
  enrolmentCodeCleared,
  factorActivated,
  enrolmentDropped,
} = slice.actions;

export const selectEnrolment = (state: {
  readonly mfa: { readonly enrolment: EnrolmentState };
}): EnrolmentState => state.mfa.enrolment;
