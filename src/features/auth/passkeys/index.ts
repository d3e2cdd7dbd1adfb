export { applyPasskeyChange } from './applyPasskeyChange.saga';
export { managePasskeys as saga } from './managePasskeys.saga';
export { passkeysReducer as reducer } from './passkeys.slice';
export { PasskeysSection as Section } from './PasskeysSection.container';
