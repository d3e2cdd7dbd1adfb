import { combineReducers } from '@reduxjs/toolkit';
import { signInReducers } from './auth.reducer';
import { oneTimeLinkReducer } from './links/oneTimeLink.slice';
import { verificationReducer } from './verify-identity/verification.slice';

export { watchVerificationPeriod as saga } from './verify-identity/verificationPeriod.saga';

/** With the slices of `/login`. */
export const reducer = combineReducers({
  ...signInReducers,
  verification: verificationReducer,
  oneTimeLink: oneTimeLinkReducer,
});
