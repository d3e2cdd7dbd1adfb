export { authReducer } from './auth.reducer';
export { authSaga } from './auth.saga';
export { Login } from './sign-in/Login.container';
export { completeSignIn } from './sign-in/completeSignIn.saga';
export { selectIsSigningIn } from './sign-in/signIn.selectors';
export { showLoginError } from './sign-in/showLoginError.saga';
export { loginEntered, signInStopped } from './sign-in/signIn.slice';
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
