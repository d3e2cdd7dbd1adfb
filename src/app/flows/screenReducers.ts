import { activityReducer } from '@features/activity';
import { authScreensReducer } from '@features/auth';
import { mfaReducer } from '@features/mfa';
import { passwordReducer } from '@features/password';
import { profileReducer } from '@features/session';
import type { ScreenReducers } from '../rootReducer';

/** Part of the chunk `screens`. */
export const screenReducers: ScreenReducers = {
  profile: profileReducer,
  activity: activityReducer,
  auth: authScreensReducer,
  mfa: mfaReducer,
  password: passwordReducer,
};
