import { combineReducers } from '@reduxjs/toolkit';
import { challengeReducer } from './challenge/challenge.slice';
import { oneTimeLinkReducer } from './links/oneTimeLink.slice';
import { oauthReturnReducer } from './provider/oauthReturn.slice';
import { providerAttemptReducer } from './provider/providerAttempt.slice';
import { securityNoticeReducer } from './security-notice/securityNotice.slice';
import { endNoticeReducer } from './sign-in/endNotice.slice';
import { signInReducer } from './sign-in/signIn.slice';
import { verificationReducer } from './verify-identity/verification.slice';

const signInReducers = {
  signIn: signInReducer,
  endNotice: endNoticeReducer,
  challenge: challengeReducer,
  providerAttempt: providerAttemptReducer,
  oauthReturn: oauthReturnReducer,
};

/** State of the auth feature that `/login` needs. */
export const authReducer = combineReducers(signInReducers);

/** State of the whole auth feature. */
export const authScreensReducer = /* @__PURE__ */ combineReducers({
  ...signInReducers,
  verification: verificationReducer,
  oneTimeLink: oneTimeLinkReducer,
  securityNotice: securityNoticeReducer,
});
