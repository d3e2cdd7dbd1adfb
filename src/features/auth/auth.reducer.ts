import { combineReducers } from '@reduxjs/toolkit';
import { challengeReducer } from './challenge/challenge.slice';
import { oneTimeLinkReducer } from './links/oneTimeLink.slice';
import { passkeysReducer } from './passkeys/passkeys.slice';
import { oauthReturnReducer } from './provider/oauthReturn.slice';
import { providerAttemptReducer } from './provider/providerAttempt.slice';
import { securityNoticeReducer } from './security-notice/securityNotice.slice';
import { endNoticeReducer } from './sign-in/endNotice.slice';
import { signInReducer } from './sign-in/signIn.slice';
import { verificationReducer } from './verify-identity/verification.slice';

/** State of the auth feature. */
export const authReducer = combineReducers({
  signIn: signInReducer,
  endNotice: endNoticeReducer,
  challenge: challengeReducer,
  providerAttempt: providerAttemptReducer,
  oauthReturn: oauthReturnReducer,
  verification: verificationReducer,
  oneTimeLink: oneTimeLinkReducer,
  passkeys: passkeysReducer,
  securityNotice: securityNoticeReducer,
});
