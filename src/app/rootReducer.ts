import type { activityReducer } from '@features/activity';
import { authReducer, type authScreensReducer } from '@features/auth';
import type { mfaReducer } from '@features/mfa';
import type { passwordReducer } from '@features/password';
import type { recoveryCodesReducer } from '@features/recovery-codes';
import { sessionReducer, type profileReducer } from '@features/session';
import { dialogsReducer } from '@features/ui-dialogs';
import { combineReducers, type Reducer } from '@reduxjs/toolkit';
import { brandReducer } from '@shared/brand/brand.slice';
import { locationReducer } from '@shared/routing/location.slice';
import { crashReducer } from './crash/crash.slice';
import { flowsReducer } from './flows/flows.slice';

/** What `/login` needs. */
const loginReducers = {
  location: locationReducer,
  brand: brandReducer,
  session: sessionReducer,
  auth: authReducer,
  'ui-dialogs': dialogsReducer,
  flows: flowsReducer,
  crash: crashReducer,
};

/** The reducers of later screens, in the chunk that draws them (`flows/screenReducers.ts`). */
export interface ScreenReducers {
  readonly profile: typeof profileReducer;
  readonly activity: typeof activityReducer;
  /** With the slices of `/login`. */
  readonly auth: typeof authScreensReducer;
  readonly mfa: typeof mfaReducer;
  readonly password: typeof passwordReducer;
}

/** The reducers of extensions, in their own chunks. */
export interface ExtensionReducers {
  readonly recoveryCodes: typeof recoveryCodesReducer;
}

type LaterReducers = ScreenReducers & ExtensionReducers;

/** The whole state. `flowsStarted` follows the injection of the slices, so that a screen is drawn only when they exist. */
export type RootState = {
  readonly [Path in keyof typeof loginReducers]: ReturnType<(typeof loginReducers)[Path]>;
} & { readonly [Path in keyof LaterReducers]: ReturnType<LaterReducers[Path]> };

let injected: Partial<LaterReducers> = {};
let combined: Reducer = combineReducers(loginReducers);

export const rootReducer: Reducer<RootState> = (state, action) => combined(state, action) as RootState;

/** Adds reducers. Their state exists after the next action. */
export function injectReducers(more: Partial<LaterReducers>): void {
  injected = { ...injected, ...more };
  combined = combineReducers({ ...loginReducers, ...injected });
}
