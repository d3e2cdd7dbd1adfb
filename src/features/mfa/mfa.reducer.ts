import { combineReducers } from '@reduxjs/toolkit';
import { activationReducer } from './activated/activation.slice';
import { turnOffReducer } from './turn-off/turnOff.slice';
import { enrolmentReducer } from './enrolment/enrolment.slice';
import { activePhoneReducer } from './status/activePhone.slice';

/** State of two-step verification. */
export const mfaReducer = combineReducers({
  enrolment: enrolmentReducer,
  activePhone: activePhoneReducer,
  activation: activationReducer,
  turnOff: turnOffReducer,
});
