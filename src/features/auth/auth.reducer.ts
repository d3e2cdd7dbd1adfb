import { combineReducers } from '@reduxjs/toolkit';
import { challengeReducer } from './challenge/challenge.slice';
import { oauthReturnReducer } from './provider/oauthReturn.slice';
import { providerAttemptReducer } from './provider/providerAttempt.slice';
import { signInReducer } from './sign-in/signIn.slice';

export const signInReducers = {
  signIn: signInReducer,
  challenge: challengeReducer,
  providerAttempt: providerAttemptReducer,
  oauthReturn: oauthReturnReducer,
};

/** The part of the auth feature's state that `/login` needs. */
export const authReducer = combineReducers(signInReducers);
