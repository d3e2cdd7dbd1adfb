import { combineReducers } from '@reduxjs/toolkit';
import { signInReducers } from './auth.reducer';
import { oneTimeLinkReducer } from './links/oneTimeLink.slice';
import { securityNoticeReducer } from './security-notice/securityNotice.slice';
import { verificationReducer } from './verify-identity/verification.slice';

/** State of the whole auth feature; not in the first bundle. */
export const authScreensReducer = combineReducers({
  ...signInReducers,
  verification: verificationReducer,
  oneTimeLink: oneTimeLinkReducer,
  securityNotice: securityNoticeReducer,
});
