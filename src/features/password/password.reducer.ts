import { combineReducers } from '@reduxjs/toolkit';
import { forgotReducer } from './forgot/forgot.slice';
import { newPasswordReducer } from './save/newPassword.slice';

/** State of the password feature. */
export const passwordReducer = combineReducers({ forgot: forgotReducer, newPassword: newPasswordReducer });
