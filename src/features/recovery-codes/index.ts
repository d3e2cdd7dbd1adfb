/** The module that the settings load. */
export { newCodes, watchRecoveryCodes as saga } from './recoveryCodes.saga';
export { recoveryCodesReducer as reducer } from './recoveryCodes.slice';
export { RecoveryCodesPart } from './RecoveryCodes.container';
