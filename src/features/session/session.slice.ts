import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Claims } from './claims';

/** Who embeds the page: nobody, a parent on `parentOrigins`, or somebody else, who gets an empty page (decisions §6). */
export type Embedding = 'none' | 'trusted' | 'stranger';

/** Why a session ended. */
export type SessionEnd = 'signedOut' | 'expired' | 'missing' | 'malformed' | 'refused' | 'passwordChanged';

/** Who is here, as far as the cookies have told. */
export type Access =
  | { readonly phase: 'unknown' }
  | { readonly phase: 'anonymous' }
  | { readonly phase: 'setup'; readonly claims: Claims }
  | { readonly phase: 'active'; readonly claims: Claims };

/** State of the session feature's root. */
export interface SessionState {
  readonly access: Access;
  readonly embedding: Embedding;
}

const slice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({ access: { phase: 'unknown' }, embedding: 'none' }),
  reducers: {
    /** The page came up; what it found around itself. First event of every page. */
    pageOpened: (state, { payload }: PayloadAction<{ readonly embedding: Embedding }>) => ({
      ...state,
      ...payload,
    }),
    /** The cookies held a session that was valid when the page came up or came back. */
    restored: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** A sign-in succeeded in this tab. */
    started: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** This tab renewed the token. */
    refreshed: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** Another tab, or a sibling application, changed the token; this tab took it over. */
    adopted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** A sign-in has to set up two-step verification first. */
    setupStarted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'setup', claims: payload }),
    /** There is no session. */
    absent: (state) => withAccess(state, { phase: 'anonymous' }),
    /** The session is over; its cookies are gone. */
    ended: (state, _action: PayloadAction<{ readonly reason: SessionEnd }>) =>
      withAccess(state, { phase: 'anonymous' }),
    /** The person pressed Logout. */
    logoutRequested: (state) => state,
    /** The person pressed Back. */
    backRequested: (state) => state,
  },
});

function withAccess(state: SessionState, access: Access): SessionState {
  return { ...state, access };
}

export const sessionReducer = slice.reducer;
export const {
  pageOpened,
  restored: sessionRestored,
  started: sessionStarted,
  refreshed: sessionRefreshed,
  adopted: sessionAdopted,
  setupStarted,
  absent: sessionAbsent,
  ended: sessionEnded,
  logoutRequested,
  backRequested,
} = slice.actions;
