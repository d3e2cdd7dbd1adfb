import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** The two ways of two-step verification, as `/mfa-activated?method=` names them (specification §2). */
export type SetupMethod = 'sms' | 'qrcode';

/** Countries that a phone number may be of (specification §9). */
export type PhoneCountry = 'US' | 'GB';

/** A phone number as it was typed, kept so that it is there when the person comes back to it. */
export interface PhoneEntry {
  readonly country: PhoneCountry;
  readonly text: string;
}

/** A phone number as it is sent (decisions §15). */
export interface PhoneNumber {
  /** E.164: `+12025550143`. */
  readonly phone: string;
  readonly countryCode: PhoneCountry;
}

/** What became of copying the key; `times` tells one press from the next. */
export interface KeyCopy {
  readonly outcome: 'copied' | 'refused';
  readonly times: number;
}

/** The code step: what it is about, and how the code boxes are. */
type CodeStep = {
  /** The boxes are red, 1.5 s after a wrong code. */
  readonly red: boolean;
  /** Counts how often the boxes were emptied. */
  readonly attempt: number;
} & (
  | { readonly method: 'sms'; readonly entry: PhoneEntry; readonly lastFourPhone: string }
  | { readonly method: 'qrcode' }
);

/** The steps of the set-up as phases (specification §2 Setup screens). Key and QR address are in the vault. */
export type SetupState =
  | { readonly phase: 'none' }
  /** A method was chosen; who it is may still have to be proved. */
  | { readonly phase: 'chosen'; readonly method: SetupMethod }
  | {
      readonly phase: 'phone';
      readonly method: 'sms';
      readonly entry: PhoneEntry;
      /** The text was refused as no phone number. */
      readonly refused: boolean;
    }
  | { readonly phase: 'sendingPhone'; readonly method: 'sms'; readonly entry: PhoneEntry }
  | { readonly phase: 'enrolling'; readonly method: 'qrcode' }
  | { readonly phase: 'enrolmentFailed'; readonly method: 'qrcode' }
  | { readonly phase: 'enrolled'; readonly method: 'qrcode'; readonly copy: KeyCopy | null }
  | ({ readonly phase: 'code' } & CodeStep)
  | ({ readonly phase: 'verifying' } & CodeStep);

/** The screens of the set-up. */
export type SetupStep = 'phone' | 'app' | 'code';

/** What the phone step starts with: the default country (specification §9), nothing typed. */
const emptyEntry: PhoneEntry = { country: 'US', text: '' };

const initialState: SetupState = { phase: 'none' };

const slice = createSlice({
  name: 'mfa',
  initialState: (): SetupState => initialState,
  reducers: {
    /** A method was chosen on `/mfa-options`, or Change Number or Add New App was pressed. */
    setupMethodChosen: (
      _state,
      { payload }: PayloadAction<{ readonly method: SetupMethod }>,
    ): SetupState => ({ phase: 'chosen', method: payload.method }),
    /** A step's screen was entered: for the first time, or again. */
    setupStepEntered: (state, { payload: step }: PayloadAction<SetupStep>): SetupState => atStep(state, step),
    /** The person left the field, chose a country, or began to change what was refused. */
    phoneEdited: (state, { payload }: PayloadAction<PhoneEntry>): SetupState =>
      state.phase === 'phone'
        ? { ...state, entry: payload, refused: state.refused && isSame(state.entry, payload) }
        : state,
    /** What was to be sent is no phone number that we can send. */
    phoneRefused: (state, { payload }: PayloadAction<PhoneEntry>): SetupState =>
      state.phase === 'phone' ? { ...state, entry: payload, refused: true } : state,
    phoneSubmitted: (
      state,
      { payload }: PayloadAction<{ readonly entry: PhoneEntry; readonly number: PhoneNumber }>,
    ): SetupState =>
      state.phase === 'phone' ? { phase: 'sendingPhone', method: 'sms', entry: payload.entry } : state,
    /** The service did not take the number; the payload is what the dialog says. */
    phoneFailed: (state, _action: PayloadAction<string>): SetupState =>
      state.phase === 'sendingPhone' ? { ...state, phase: 'phone', refused: false } : state,
    /** A text message is on its way. */
    codeSent: (state, { payload }: PayloadAction<{ readonly lastFourPhone: string }>): SetupState =>
      state.phase === 'sendingPhone'
        ? { ...state, ...payload, phase: 'code', red: false, attempt: 0 }
        : state,
    /** Try Again, after the key could not be fetched. */
    enrolmentRequested: (state): SetupState =>
      state.phase === 'enrolmentFailed' ? { phase: 'enrolling', method: 'qrcode' } : state,
    /** The vault holds key and QR address. */
    enrolmentReceived: (state): SetupState =>
      state.phase === 'enrolling' ? { phase: 'enrolled', method: 'qrcode', copy: null } : state,
    /** The payload is what the dialog says. */
    enrolmentFailed: (state, _action: PayloadAction<string>): SetupState =>
      state.phase === 'enrolling' ? { phase: 'enrolmentFailed', method: 'qrcode' } : state,
    keyCopyRequested: (state) => state,
    keyCopyEnded: (state, { payload: outcome }: PayloadAction<KeyCopy['outcome']>): SetupState =>
      state.phase === 'enrolled'
        ? { ...state, copy: { outcome, times: (state.copy?.times ?? 0) + 1 } }
        : state,
    /** The code travels in `meta.secret`, never in the payload. */
    setupCodeSubmitted: {
      prepare: (code: string) => ({ payload: undefined, meta: { secret: code } }),
      reducer: (state): SetupState =>
        state.phase === 'code' && !state.red ? { ...state, phase: 'verifying' } : state,
    },
    /** The code was wrong. */
    setupCodeRejected: (state): SetupState =>
      state.phase === 'verifying' ? { ...state, phase: 'code', red: true } : state,
    /** The code could not be checked; the payload is what the dialog says. */
    setupCodeFailed: (state, _action: PayloadAction<string>): SetupState =>
      state.phase === 'verifying' ? { ...state, phase: 'code' } : state,
    /** The boxes are empty again, with the focus in the first. */
    setupCodeCleared: (state): SetupState =>
      state.phase === 'code' ? { ...state, red: false, attempt: state.attempt + 1 } : state,
    /** The second step is active. */
    factorActivated: (_state, _action: PayloadAction<{ readonly method: SetupMethod }>): SetupState =>
      initialState,
    /** The set-up was left. */
    setupDropped: (): SetupState => initialState,
  },
});

const isSame = (one: PhoneEntry, other: PhoneEntry): boolean =>
  one.country === other.country && one.text === other.text;

/** Whatever was under way on a step ended when it was left: it begins with what was entered, and nothing pending. */
function atStep(state: SetupState, step: SetupStep): SetupState {
  if (!('method' in state)) return state;
  if (step === 'phone' && state.method === 'sms')
    return {
      phase: 'phone',
      method: 'sms',
      entry: 'entry' in state ? state.entry : emptyEntry,
      refused: state.phase === 'phone' && state.refused,
    };
  if (step === 'app' && state.method === 'qrcode') return { phase: 'enrolling', method: 'qrcode' };
  return step === 'code' ? atCode(state) : state;
}

function atCode(state: SetupState): SetupState {
  if (state.phase === 'code' || state.phase === 'verifying') return { ...state, phase: 'code', red: false };
  return state.phase === 'enrolled' ? { phase: 'code', method: 'qrcode', red: false, attempt: 0 } : state;
}

export const setupReducer = slice.reducer;
export const {
  setupMethodChosen,
  setupStepEntered,
  phoneEdited,
  phoneRefused,
  phoneSubmitted,
  phoneFailed,
  codeSent,
  enrolmentRequested,
  enrolmentReceived,
  enrolmentFailed,
  keyCopyRequested,
  keyCopyEnded,
  setupCodeSubmitted,
  setupCodeRejected,
  setupCodeFailed,
  setupCodeCleared,
  factorActivated,
  setupDropped,
} = slice.actions;
