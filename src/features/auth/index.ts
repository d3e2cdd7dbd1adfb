export { describeVerifyError } from './auth.errors';
export { authMessages } from './auth.messages';
export { refusalMessages } from './refusals.messages';
export { authSaga } from './auth.saga';
export { challengeChunk } from './challenge/challengeChunk';
export { keepEntry } from './sign-in/loginEntry.saga';
export { providerCodeReceived } from './provider/providerAttempt.slice';
export { passwordSubmitted } from './sign-in/signIn.slice';
export { ExpiryWarning } from './verify-identity/ExpiryWarning.container';
export {
  identityRefused,
  verificationHeld,
  verificationReleased,
  verificationStarted,
  verificationUsed,
} from './verify-identity/verification.slice';
export { verificationLifeMs } from './verify-identity/verificationPeriod.saga';
