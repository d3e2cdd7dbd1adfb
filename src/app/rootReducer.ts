import { authReducer } from '@features/auth';
import type { recoveryCodesReducer } from '@features/recovery-codes';
import { sessionReducer } from '@features/session';
import { dialogsReducer } from '@features/ui-dialogs';
import { combineReducers, type Reducer } from '@reduxjs/toolkit';
import { brandReducer } from '@shared/brand/brand.slice';
import { locationReducer } from '@shared/routing/location.slice';
import { crashReducer } from './crash/crash.slice';
import { flowsReducer } from './flows/flows.slice';
import type { SectionReducers } from './account-settings/sections';
import type { screenReducers } from './flows/screenReducers';
import { waitReducer } from './wait.slice';

/** What `/login` needs. */
const loginReducers = {
  location: locationReducer,
  brand: brandReducer,
  session: sessionReducer,
  auth: authReducer,
  'ui-dialogs': dialogsReducer,
  flows: flowsReducer,
  crash: crashReducer,
  wait: waitReducer,
};

/** The reducers of extensions, in their own chunks. */
export interface ExtensionReducers extends SectionReducers {
  readonly recoveryCodes: typeof recoveryCodesReducer;
}

/** With those of the screens behind `/login`, in the chunk that draws them. */
type LaterReducers = typeof screenReducers & ExtensionReducers;

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
