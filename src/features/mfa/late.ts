import { combineReducers } from '@reduxjs/toolkit';
import { activationReducer } from './activated/activation.slice';
import { enrolmentReducer } from './enrolment/enrolment.slice';
import { activePhoneReducer } from './status/activePhone.slice';
import { turnOffReducer } from './turn-off/turnOff.slice';

export { mfaSaga as saga } from './mfa.saga';

export const reducer = combineReducers({
  enrolment: enrolmentReducer,
  activePhone: activePhoneReducer,
  activation: activationReducer,
  turnOff: turnOffReducer,
});
