import { combineReducers } from '@reduxjs/toolkit';
import { forgotReducer } from './forgot/forgot.slice';
import { newPasswordReducer } from './save/newPassword.slice';

export const reducer = combineReducers({ forgot: forgotReducer, newPassword: newPasswordReducer });
