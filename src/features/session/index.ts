export type { EndReason } from '@vestibule/client/eventRules';
export { decodeClaims, type Claims } from './claims';
export { endAtService, endStoredSessions, endSession, storedTokens } from './endSession.saga';
export { writeVerifiedCookies } from './writeVerifiedCookies.saga';
export { readAsBearer, readBearer } from './bearer.saga';
export {
  profileFailed,
  profileLoaded,
  profileRequested,
  selectProfile,
  type ProfileState,
} from './profile/profile.slice';
export { leaveFor, redirectUrlOf, whereTo, type Destination } from './redirect/leaveFor.saga';
export { allowConfigured, allowRedirect, type RedirectRules } from './redirect/redirectAllowlist';
export { mayRedirectAgain } from './redirect/redirectLoop';
export { keepReturn, takeReturn } from './redirect/returnPlace';
export { asLocalTime, hasExpired, seemsExpired, setTokenClock } from './refresh/tokenClock';
export { checkFrameStorage } from './frameStorage.saga';
export { askByRefresh, restoreSession } from './restoreSession.saga';
export { sessionMessages } from './session.messages';
export { nextPoll, wakeUps } from './refresh/nextPoll.saga';
export type { PresentSession } from './refresh/refreshOnce.saga';
export { sessionSaga, untilLeft } from './session.saga';
export {
  accountChanged,
  backRequested,
  frameStorageChanged,
  logoutRequested,
  pageOpened,
  selectAccess,
  selectHasPassword,
  selectPhase,
  selectClaims,
  selectEmbedding,
  selectIsEmbedded,
  selectFrameStorage,
  selectSignInName,
  sessionAbsent,
  sessionAdopted,
  sessionEnded,
  sessionEndAnnounced,
  sessionReducer,
  sessionRefreshed,
  sessionRestored,
  sessionStarted,
  setupStarted,
  signInChosen,
  type Embedding,
  type FrameStorage,
  type SessionEnd,
} from './session.slice';
export { dropOldMagicLinks, takeMagicLinks } from './magicLinkCookies';
export {
  clearSession,
  dropTrustedToken,
  hasSetupToken,
  isSetupMode,
  readRememberedUsername,
  readSession,
  readSetup,
} from './sessionCookies';
export {
  readTrustedToken,
  rememberUsername,
  tokenShape,
  writeMagicLinkSession,
  writeSetup,
  writeTrustedToken,
  yearMs,
} from './signInCookies';
export { goToSignOn } from './signOut.saga';
export { startSession, type SessionStart } from './startSession.saga';
