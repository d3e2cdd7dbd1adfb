export { authReducer } from './auth.reducer';
export { authSaga } from './auth.saga';
export { challengeRoom } from './challenge';
export { oauthReturnRoom } from './provider/oauthReturnRoom.saga';
export { loginRoom } from './sign-in';
export { ExpiryWarning } from './verify-identity/ExpiryWarning.container';
export {
  identityRefused,
  verificationHeld,
  verificationReleased,
  verificationStarted,
  verificationUsed,
} from './verify-identity/verification.slice';
export { verificationLifeMs } from './verify-identity/verificationPeriod.saga';
export { describeVerifyError } from './verify-identity/verifyIdentity.errors';
export { tellVerifyError } from './verify-identity/tellVerifyError.saga';
