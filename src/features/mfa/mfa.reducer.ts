import { combineReducers } from '@reduxjs/toolkit';
import { activationReducer } from './activated/activation.slice';
import { turnOffReducer } from './disable/turnOff.slice';
import { setupReducer } from './setup/setup.slice';
import { activePhoneReducer } from './status/activePhone.slice';

/** State of two-step verification. */
export const mfaReducer = combineReducers({
  setup: setupReducer,
  activePhone: activePhoneReducer,
  activation: activationReducer,
  turnOff: turnOffReducer,
});
