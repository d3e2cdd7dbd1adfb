import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import type { Claims } from './claims';

/** Who embeds the page: nobody, a parent on `parentOrigins`, or somebody else, who gets an empty page (decisions §6). */
export type Embedding = 'none' | 'trusted' | 'untrusted';

/**
 * Why a session ended. `changedInFrame`: the password was changed in a parent's frame, and the page goes on saying so
 * (specification §4, password reset).
 */
export type SessionEnd =
  | 'signedOut'
  | 'expired'
  | 'missing'
  | 'malformed'
  | 'noPersonas'
  | 'refused'
  | 'passwordChanged'
  | 'changedInFrame';

/** Who is here, as far as the cookies have told. */
export type Access =
  | { readonly phase: 'unknown' }
  /** `staysHere`: the screen stays until the address changes, although its session is over. */
  | { readonly phase: 'anonymous'; readonly staysHere?: true }
  | { readonly phase: 'setup'; readonly claims: Claims }
  | { readonly phase: 'active'; readonly claims: Claims };

/** State of the session feature's root. */
export interface SessionState {
  readonly access: Access;
  readonly embedding: Embedding;
  /** In a frame whose cookies and channels the browser keeps apart: nobody can sign in there (decisions §6). */
  readonly isStoragePartitioned: boolean;
}

const slice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({
    access: { phase: 'unknown' },
    embedding: 'none',
    isStoragePartitioned: false,
  }),
  reducers: {
    /** The page came up; what it found around itself. First event of every page. */
    pageOpened: (state, { payload }: PayloadAction<{ readonly embedding: Embedding }>) => ({
      ...state,
      ...payload,
    }),
    /** The browser keeps this frame's storage apart from the site's own windows. */
    storageFoundPartitioned: (state) => ({ ...state, isStoragePartitioned: true }),
    /** The cookies held a valid session when the page came up or came back, or somebody signed in in another tab. */
    sessionRestored: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** A sign-in succeeded in this tab. */
    sessionStarted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** This tab renewed the token. */
    sessionRefreshed: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** Another tab, or a sibling application, changed the token; this tab took it over. */
    sessionAdopted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** A sign-in has to set up two-step verification first. */
    setupStarted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'setup', claims: payload }),
    /** There is no session. */
    sessionAbsent: (state) => withAccess(state, { phase: 'anonymous' }),
    /** The session is over; its cookies are gone. */
    sessionEnded: (state, { payload }: PayloadAction<{ readonly reason: SessionEnd }>) =>
      withAccess(state, {
        phase: 'anonymous',
        ...(payload.reason === 'changedInFrame' && { staysHere: true }),
      }),
    /** The page was left; nothing of the session is shown before it has been looked at again. */
    sessionHidden: (state) => ('claims' in state.access ? withAccess(state, { phase: 'unknown' }) : state),
    /** The person pressed Logout. */
    logoutRequested: (state) => state,
    /** The person pressed Back. */
    backRequested: (state) => state,
  },
  extraReducers: (builder) => {
    builder.addCase(locationChanged, (state) =>
      'staysHere' in state.access ? withAccess(state, { phase: 'anonymous' }) : state,
    );
  },
});

function withAccess(state: SessionState, access: Access): SessionState {
  return { ...state, access };
}

export const sessionReducer = slice.reducer;
export const {
  pageOpened,
  storageFoundPartitioned,
  sessionRestored,
  sessionStarted,
  sessionRefreshed,
  sessionAdopted,
  setupStarted,
  sessionAbsent,
  sessionEnded,
  sessionHidden,
  logoutRequested,
  backRequested,
} = slice.actions;
