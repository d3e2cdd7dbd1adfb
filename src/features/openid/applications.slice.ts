import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { ConnectedApplication } from './openid.calls';

/** The connected applications, at `/account-activity`. */
export interface ApplicationsState {
  /** Newest first. A loaded list stays while it is loaded again. */
  readonly list:
    | { readonly phase: 'absent' }
    | { readonly phase: 'loading' }
    | { readonly phase: 'failed' }
    | { readonly phase: 'loaded'; readonly entries: readonly ConnectedApplication[] };
  /** The id of the application that is being disconnected. */
  readonly busy: string | null;
  /** The name of the application that was disconnected last. */
  readonly disconnected: string | null;
}

const initialState = (): ApplicationsState => ({
  list: { phase: 'absent' },
  busy: null,
  disconnected: null,
});

/** The application that an action is about. */
type Chosen = PayloadAction<Pick<ConnectedApplication, 'id' | 'name'>>;

const slice = createSlice({
  name: 'applications',
  initialState,
  reducers: {
    applicationsEntered: (): ApplicationsState => ({ ...initialState(), list: { phase: 'loading' } }),
    /** The list may have changed, or the user pressed 'Try Again'. */
    applicationsRequested: (state): ApplicationsState =>
      state.list.phase === 'loaded' ? state : { ...state, list: { phase: 'loading' } },
    applicationsLoaded: (
      state,
      { payload: entries }: PayloadAction<readonly ConnectedApplication[]>,
    ): ApplicationsState =>
      state.list.phase === 'absent' ? state : { ...state, list: { phase: 'loaded', entries } },
    applicationsFailed: (state): ApplicationsState =>
      state.list.phase === 'loading' ? { ...state, list: { phase: 'failed' } } : state,
    /** 'Disconnect' was pressed, and is not confirmed yet. */
    disconnectRequested: (state, _action: Chosen) => state,
    disconnectConfirmed: (state, { payload: { id } }: Chosen): ApplicationsState => ({
      ...state,
      busy: id,
      disconnected: null,
    }),
    applicationDisconnected: ({ list }, { payload: { id, name } }: Chosen): ApplicationsState => ({
      list:
        list.phase === 'loaded'
          ? { ...list, entries: list.entries.filter((entry) => entry.id !== id) }
          : list,
      busy: null,
      disconnected: name,
    }),
    disconnectFailed: (state): ApplicationsState => ({ ...state, busy: null }),
  },
  extraReducers: (builder) => {
    // The next user must not see the list.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

export const applicationsReducer = slice.reducer;
export const {
  applicationsEntered,
  applicationsRequested,
  applicationsLoaded,
  applicationsFailed,
  disconnectRequested,
  disconnectConfirmed,
  applicationDisconnected,
  disconnectFailed,
} = slice.actions;

const before = initialState();

/** The state of the section. Before the slice exists it is the initial state. */
export const selectApplications = (state: {
  readonly openid?: { readonly applications: ApplicationsState };
}): ApplicationsState => state.openid?.applications ?? before;
