import { componentIn, createOptionalChunk } from '@shared/chunk';
import type { RecoveryCodesState } from './recoveryCodes.slice';

export { recoveryMessages } from './recoveryCodes.messages';
export {
  recoveryCodesAwaited,
  recoveryCodesConfirmed,
  recoveryCodesCounted,
  recoveryCodesHidden,
  recoveryCodesMade,
  recoveryCodesReducer,
  recoveryCodesRequested,
  recoveryCodesTaken,
  recoveryCopyEnded,
  recoveryCountFailed,
  selectRecoveryCodes,
} from './recoveryCodes.slice';

/** Part of the section of two-step verification while that is active. Loaded only with the extension `recovery-codes`. */
export const RecoveryCodesPart = componentIn(
  createOptionalChunk(() => import(/* webpackChunkName: "recovery-codes" */ './RecoveryCodes.container')),
  (module) => module.RecoveryCodesPart,
);

/** The phase of the new codes, also before the slice exists. */
export const selectRecoveryPhase = (state: {
  readonly recoveryCodes?: RecoveryCodesState;
}): RecoveryCodesState['codes']['phase'] => state.recoveryCodes?.codes.phase ?? 'none';
