import { combineReducers } from '@reduxjs/toolkit';
import { signInReducers } from './auth.reducer';
import { oneTimeLinkReducer } from './links/oneTimeLink.slice';
import { verificationReducer } from './verify-identity/verification.slice';

export { watchVerificationPeriod as saga } from './verify-identity/verificationPeriod.saga';

/** The reducer of the whole branch. It includes the slices that `/login` needs. */
export const reducer = combineReducers({
  ...signInReducers,
  verification: verificationReducer,
  oneTimeLink: oneTimeLinkReducer,
});
