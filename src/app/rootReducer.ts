import { combineReducers } from '@reduxjs/toolkit';
import { activityReducer } from '@features/activity';
import { authReducer } from '@features/auth';
import { mfaReducer } from '@features/mfa';
import { passwordReducer } from '@features/password';
import { profileReducer, sessionReducer } from '@features/session';
import { dialogsReducer } from '@features/ui-dialogs';
import { brandReducer } from '@shared/brand/brand.slice';
import { locationReducer } from '@shared/routing/location.slice';
import { crashReducer } from './crash/crash.slice';
import { flowsReducer } from './flows/flows.slice';

/** Every slice of the application. */
export const rootReducer = combineReducers({
  location: locationReducer,
  brand: brandReducer,
  session: sessionReducer,
  profile: profileReducer,
  activity: activityReducer,
  auth: authReducer,
  mfa: mfaReducer,
  password: passwordReducer,
  'ui-dialogs': dialogsReducer,
  flows: flowsReducer,
  crash: crashReducer,
});

/** The whole state. */
export type RootState = ReturnType<typeof rootReducer>;
