import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import type { Method, Methods } from './confirmations.slice';

/** A passkey or a phone that does not confirm payments yet. */
export interface WaitingElement {
  readonly method: Method;
  /** `null` for the phone. */
  readonly credentialId: string | null;
  /** Of a passkey. */
  readonly name: string | null;
  /** From when it confirms payments, ISO 8601; `null`: time alone does not permit it. */
  readonly confirmsFrom: string | null;
  /** Whether the passkey must be used to sign in once first. */
  readonly needsSignIn: boolean;
}

/** The section 'Payments' of the account settings. */
export interface ElementsState {
  readonly waiting: readonly WaitingElement[];
  /** The passkeys that were permitted on this visit. */
  readonly permitted: readonly WaitingElement[];
  /** How the user can permit a passkey. */
  readonly methods: Methods;
  /** When they were read, ms since 1970. */
  readonly readAt: number;
}

const initialState: ElementsState = {
  waiting: [],
  permitted: [],
  methods: { passkey: false, text: false },
  readAt: 0,
};

const slice = createSlice({
  name: 'elements',
  initialState,
  reducers: {
    /** They may have changed. */
    elementsChanged: (state) => state,
    /** They are shown, and may have changed. */
    elementsRequested: (state) => state,
    elementsLoaded: (state, { payload }: PayloadAction<Omit<ElementsState, 'permitted'>>): ElementsState => ({
      permitted: state.permitted.filter(
        ({ credentialId }) => !payload.waiting.some((element) => element.credentialId === credentialId),
      ),
      ...payload,
    }),
    /** Another element has permitted this passkey. */
    elementPermitted: (state, { payload }: PayloadAction<string>): ElementsState => {
      const isIt = ({ credentialId }: WaitingElement): boolean => credentialId === payload;
      return {
        ...state,
        waiting: state.waiting.filter((element) => !isIt(element)),
        permitted: [...state.permitted, ...state.waiting.filter(isIt)],
      };
    },
  },
  extraReducers: (builder) => {
    builder.addCase(locationChanged, (state, { payload: { route } }): ElementsState =>
      route === 'accountSettings' || state.permitted.length === 0 ? state : { ...state, permitted: [] },
    );
    // The next user must not see this state.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), () => initialState);
  },
});

export const elementsReducer = slice.reducer;
export const { elementsChanged, elementsRequested, elementsLoaded, elementPermitted } = slice.actions;

/** The elements. Before the slice exists there are none. */
export const selectElements = (state: {
  readonly confirmations?: { readonly elements: ElementsState };
}): ElementsState => state.confirmations?.elements ?? initialState;
