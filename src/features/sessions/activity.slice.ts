import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { ActivityEvent, SessionEntry, TrustedDevice } from './sessions.calls';

/** The type of the entries of each list of `/account-activity`. */
interface Entries {
  readonly sessions: SessionEntry;
  readonly devices: TrustedDevice;
  readonly events: ActivityEvent;
}
export type ListName = keyof Entries;

/** A list, newest first. A loaded list stays while it is loaded again. */
type ListState<Entry> =
  | { readonly phase: 'absent' }
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed' }
  /** `next` is the event after which the next page begins, or `null` if all events are shown. */
  | { readonly phase: 'loaded'; readonly entries: readonly Entry[]; readonly next: string | null };

/** The state of `/account-activity`. */
export type ActivityState = {
  readonly [List in ListName]: ListState<Entries[List]>;
} & {
  /** The action in progress: the id of an entry, `others` or `more`. */
  readonly busy: string | null;
};

type Loaded = {
  readonly [List in ListName]: {
    readonly list: List;
    readonly entries: readonly Entries[List][];
    readonly next: string | null;
  };
}[ListName];

const absent = { phase: 'absent' } as const;
const loading = { phase: 'loading' } as const;
const initialState = (): ActivityState => ({ sessions: absent, devices: absent, events: absent, busy: null });

const slice = createSlice({
  name: 'activity',
  initialState,
  reducers: {
    activityEntered: (): ActivityState => ({
      sessions: loading,
      devices: loading,
      events: loading,
      busy: null,
    }),
    /** The list may have changed, or the user pressed 'Try Again'. */
    listRequested: (state, { payload: { list } }: PayloadAction<{ readonly list: ListName }>) =>
      state[list].phase === 'loaded' ? state : { ...state, [list]: { phase: 'loading' } },
    listLoaded: (state, { payload: { list, ...loaded } }: PayloadAction<Loaded>) =>
      state[list].phase === 'absent' ? state : { ...state, [list]: { phase: 'loaded', ...loaded } },
    listFailed: (state, { payload: { list } }: PayloadAction<{ readonly list: ListName }>) =>
      state[list].phase === 'loading' ? { ...state, [list]: { phase: 'failed' } } : state,
    /** 'Sign Out' of a session was pressed, or 'Sign Out Everywhere Else' (`null`). */
    endRequested: (state, _action: PayloadAction<string | null>) => state,
    /** 'Forget' of a trusted device was pressed. */
    forgetRequested: (state, _action: PayloadAction<string>) => state,
    /** 'Show More' was pressed. */
    moreRequested: (state) => state,
    actionStarted: (state, { payload }: PayloadAction<string>) => ({ ...state, busy: payload }),
    actionEnded: (state) => ({ ...state, busy: null }),
  },
  extraReducers: (builder) => {
    // The next user must not see this state.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

export const activityReducer = slice.reducer;
export const {
  activityEntered,
  listRequested,
  listLoaded,
  listFailed,
  endRequested,
  forgetRequested,
  moreRequested,
  actionStarted,
  actionEnded,
} = slice.actions;

const before = initialState();

/** The state of `/account-activity`. Before the slice exists it is the initial state. */
export const selectActivity = (state: {
  readonly sessions?: { readonly activity: ActivityState };
}): ActivityState => state.sessions?.activity ?? before;
