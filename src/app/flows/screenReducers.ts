import { activityReducer } from '@features/activity';
import { authScreensReducer } from '@features/auth';
import { mfaReducer } from '@features/mfa';
import { passwordReducer } from '@features/password';
import { profileReducer } from '@features/session';

/** The reducers of the screens behind `/login`. Part of the chunk `screens`. */
export const screenReducers = {
  profile: profileReducer,
  activity: activityReducer,
  // With the slices of `/login`.
  auth: authScreensReducer,
  mfa: mfaReducer,
  password: passwordReducer,
};
