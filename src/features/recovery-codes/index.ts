import { componentIn, createChunk } from '@shared/chunk';
import type { RecoveryCodesState } from './recoveryCodes.slice';

export type { recoveryCodesReducer } from './recoveryCodes.slice';

/** Fetched only with the extension `recovery-codes`. */
const chunk = createChunk(() => import(/* webpackChunkName: "recovery-codes" */ './RecoveryCodes.container'));

export const RecoveryCodesCount = componentIn(chunk, (module) => module.RecoveryCodesCount);
export const NewRecoveryCodes = componentIn(chunk, (module) => module.NewRecoveryCodes);

/** Part of the first bundle, unlike the slice: what the codes are at, as long as it is not there. */
export const selectRecoveryPhase = (state: {
  readonly recoveryCodes?: RecoveryCodesState;
}): RecoveryCodesState['codes']['phase'] => state.recoveryCodes?.codes.phase ?? 'none';
