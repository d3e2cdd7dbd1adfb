import { combineReducers } from '@reduxjs/toolkit';
import { paymentReducer } from './confirmations.slice';
import { elementsReducer } from './elements.slice';
import { proofReducer } from './proof.slice';

export const confirmationsReducer = combineReducers({
  payment: paymentReducer,
  proof: proofReducer,
  elements: elementsReducer,
});

export type ConfirmationsState = ReturnType<typeof confirmationsReducer>;
