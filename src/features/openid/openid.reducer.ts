import { combineReducers } from '@reduxjs/toolkit';
import { applicationsReducer } from './applications.slice';
import { continueReducer } from './continue.slice';

export const openidReducer = combineReducers({ request: continueReducer, applications: applicationsReducer });

export type OpenIdState = ReturnType<typeof openidReducer>;
