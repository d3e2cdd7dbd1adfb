export { decodeClaims, type Claims } from './claims';
export { destinationOf, type Destination } from './destination';
export { endSession } from './endSession.saga';
export { keepCookies } from './keepCookies.saga';
export { goToSignOn } from './leave/leave.saga';
export { leaveFor, whereTo } from './leaveFor.saga';
export { endHeldSessions, heldTokens, revoke } from './leave/revoke';
export { takeMagicLinks } from './leave/magicLinkCookies';
export { readAsBearer, readBearer } from './profile/readAsBearer.saga';
export { mayRedirectAgain } from './redirectLoop';
export {
  profileFailed,
  profileLoaded,
  profileReducer,
  profileRequested,
  selectProfile,
  type ProfileState,
} from './profile/profile.slice';
export { checkFrameStorage } from './checkFrameStorage.saga';
export { allowConfigured, allowRedirect, type DoorRules } from './redirectDoor';
export { isExpired } from './refresh/halfLife';
export { restoreSession } from './restoreSession.saga';
export { sessionSaga } from './session.saga';
export {
  selectAccess,
  selectClaims,
  selectEmbedding,
  selectIsEmbedded,
  selectIsStoragePartitioned,
} from './session.selectors';
export {
  backRequested,
  logoutRequested,
  pageOpened,
  sessionAbsent,
  sessionAdopted,
  sessionEnded,
  sessionReducer,
  sessionRefreshed,
  sessionRestored,
  sessionStarted,
  setupStarted,
  type Access,
  type Embedding,
  type SessionEnd,
  type SessionState,
} from './session.slice';
export { sessionMessages } from './session.messages';
export {
  clearSession,
  clearSetup,
  hasSetupToken,
  isSetupMode,
  readRememberedUsername,
  readSession,
  readSetup,
  type CookieDeps,
  type StoredSession,
} from './sessionCookies';
export { rememberUsername, writeMagicLinkSession, writeSetup } from './writeCookies';
export { startSession, type SessionStart } from './startSession.saga';
export { setTokenClock, tokenNow, type TokenClockDeps } from './tokenClock';
export { dropTrustedToken } from './dropTrust';
export { readTrustedToken, writeTrustedToken } from './trustCookies';
