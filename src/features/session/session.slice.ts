import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import type { EndReason } from '@vestibule/client/eventRules';
import type { Claims } from './claims';

/** Who embeds the page: no parent, one on `parentOrigins`, or another one (docs/behaviour.md#embedding). */
export type Embedding = 'none' | 'trusted' | 'untrusted';

/**
 * Whether the page shares the cookies of windows of its own site (docs/behaviour.md#embedding). All phases except `shared`
 * occur only in a frame under a parent of another site.
 */
export type FrameStorage =
  | { readonly phase: 'shared' }
  /** The user can be asked. */
  | { readonly phase: 'partitioned' }
  /** The page has asked the browser, which may ask the user. */
  | { readonly phase: 'asking' }
  /** The browser has refused once. It may require that the user visits the page in a window first. */
  | { readonly phase: 'visitNeeded' }
  /** The user has opened that window. */
  | { readonly phase: 'visited' }
  | { readonly phase: 'refused'; readonly reason: StorageRefusal };

/**
 * - `denied`: by the browser or its user, also after the visit
 * - `forbidden`: by the parent's Permissions-Policy
 * - `noCookies`: allowed, but the browser keeps no cookies
 * - `unsupported`: there is nothing to ask for in this browser, or with this configuration
 */
type StorageRefusal = 'denied' | 'forbidden' | 'noCookies' | 'unsupported';

/** Why a session ended. `changedInFrame`: the password was changed in an iframe, where the page stays (docs/behaviour.md#after-a-saved-password). */
export type SessionEnd =
  | 'signedOut'
  | 'expired'
  | 'missing'
  | 'malformed'
  | 'noPersonas'
  | 'refused'
  | 'passwordChanged'
  | 'changedInFrame';

/** Who uses the page, as last read from the cookies. */
export type Access =
  | { readonly phase: 'unknown' }
  /** With `staysHere` the screen remains until the address changes, although its session has ended. */
  | { readonly phase: 'anonymous'; readonly staysHere?: true }
  | { readonly phase: 'setup'; readonly claims: Claims }
  | { readonly phase: 'active'; readonly claims: Claims };

export interface SessionState {
  readonly access: Access;
  readonly embedding: Embedding;
  readonly frameStorage: FrameStorage;
  /** The tab was not able to refresh the token in time, because it was offline or its timers were suspended. */
  readonly hasMissedRefresh: boolean;
}

const slice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({
    access: { phase: 'unknown' },
    embedding: 'none',
    frameStorage: { phase: 'shared' },
    hasMissedRefresh: false,
  }),
  reducers: {
    /** The first event of each page. */
    pageOpened: (state, { payload }: PayloadAction<{ readonly embedding: Embedding }>) => ({
      ...state,
      ...payload,
    }),
    /** Access to the cookies was checked at the start, the user asked for it, or the browser answered. */
    frameStorageChanged: (state, { payload }: PayloadAction<FrameStorage>) => ({
      ...state,
      frameStorage: payload,
    }),
    /** The cookies held a valid session: when the page opened or came back, or after a sign-in in another tab. */
    sessionRestored: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** A sign-in succeeded in this tab. */
    sessionStarted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** This tab refreshed the token. */
    sessionRefreshed: (state, { payload }: PayloadAction<Claims>) => ({
      ...withAccess(state, { phase: 'active', claims: payload }),
      hasMissedRefresh: false,
    }),
    /** The tab is offline, or its timers were suspended. */
    refreshMissed: (state) => ({ ...state, hasMissedRefresh: true }),
    /** The tab is able to refresh again. */
    refreshResumed: (state) => ({ ...state, hasMissedRefresh: false }),
    /** Another tab, or a sibling application, changed the token. */
    sessionAdopted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'active', claims: payload }),
    /** A sign-in has to set up two-step verification first. */
    setupStarted: (state, { payload }: PayloadAction<Claims>) =>
      withAccess(state, { phase: 'setup', claims: payload }),
    /** There is no session. */
    sessionAbsent: (state) => withAccess(state, { phase: 'anonymous' }),
    /** The session has ended, and its cookies are removed. */
    sessionEnded: (state, { payload }: PayloadAction<{ readonly reason: SessionEnd }>) =>
      withAccess(state, {
        phase: 'anonymous',
        ...(payload.reason === 'changedInFrame' && { staysHere: true }),
      }),
    /** The page was left. The session is not shown until it has been checked again. */
    sessionHidden: (state) => ('claims' in state.access ? withAccess(state, { phase: 'unknown' }) : state),
    /** Data that may be shown was changed, here or elsewhere (extension `events`). */
    accountChanged: (state, _action: PayloadAction<{ readonly what: readonly string[] }>) => state,
    /** The service announced the end of the session, with its reason. */
    sessionEndAnnounced: (state, _action: PayloadAction<{ readonly reason: EndReason }>) => state,
    /** The user chose to sign in instead of waiting for the check of an old session. */
    signInChosen: (state) => state,
    logoutRequested: (state) => state,
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
  frameStorageChanged,
  sessionRestored,
  sessionStarted,
  sessionRefreshed,
  refreshMissed,
  refreshResumed,
  sessionAdopted,
  setupStarted,
  sessionAbsent,
  sessionEnded,
  sessionHidden,
  accountChanged,
  sessionEndAnnounced,
  signInChosen,
  logoutRequested,
  backRequested,
} = slice.actions;

interface SessionRoot {
  readonly session: SessionState;
}

export const selectAccess = (state: SessionRoot): Access => state.session.access;
/** The phase for screens. A refreshed token changes the access but not the phase. */
export const selectPhase = (state: SessionRoot): Access['phase'] => state.session.access.phase;
export const selectEmbedding = (state: SessionRoot): Embedding => state.session.embedding;
export const selectIsEmbedded = (state: SessionRoot): boolean => state.session.embedding !== 'none';
export const selectFrameStorage = (state: SessionRoot): FrameStorage => state.session.frameStorage;
export const selectHasMissedRefresh = (state: SessionRoot): boolean => state.session.hasMissedRefresh;
export const selectClaims = (state: SessionRoot): Claims | null =>
  'claims' in state.session.access ? state.session.access.claims : null;
/** The username under which password managers keep the password of this user. It may differ from the e-mail. */
export function selectSignInName(state: SessionRoot): string {
  const claims = selectClaims(state);
  if (!claims) return '';
  return claims.username === '' ? claims.email : claims.username;
}
/** Users who sign in through a provider have no password. */
export const selectHasPassword = (state: SessionRoot): boolean => selectClaims(state)?.method === 'basic';
