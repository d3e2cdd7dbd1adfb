export { describeVerifyError } from './auth.errors';
export { authMessages } from './auth.messages';
export { authReducer } from './auth.reducer';
export { authScreensReducer } from './authScreens.reducer';
export { authSaga } from './auth.saga';
export { challengeScreen } from './challenge';
export { challengeChunk } from './challenge/challengeChunk';
export { oauthReturnScreen } from './provider';
export { loginScreen } from './sign-in';
export { keepEntry } from './sign-in/loginEntry.saga';
export { providerCodeReceived } from './provider/providerAttempt.slice';
export { passwordSubmitted } from './sign-in/signIn.slice';
export { selectPendingPasskeyChange } from './passkeys/pendingPasskeyChange';
export { ExpiryWarning } from './verify-identity/ExpiryWarning.container';
export {
  identityRefused,
  verificationHeld,
  verificationReleased,
  verificationStarted,
  verificationUsed,
  type VerificationPurpose,
} from './verify-identity/verification.slice';
export { verificationLifeMs, watchVerificationPeriod } from './verify-identity/verificationPeriod.saga';
