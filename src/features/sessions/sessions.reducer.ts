import { combineReducers } from '@reduxjs/toolkit';
import { activityReducer } from './activity.slice';
import { otherSessionsReducer } from './otherSessions.slice';

export const sessionsReducer = combineReducers({ activity: activityReducer, offer: otherSessionsReducer });

export type SessionsState = ReturnType<typeof sessionsReducer>;
