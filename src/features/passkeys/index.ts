/** The module that the settings load. */
export { addition, removal } from './applyPasskeyChange.saga';
export { managePasskeys as saga } from './managePasskeys.saga';
export { passkeysReducer as reducer } from './passkeys.slice';
export { PasskeysSection } from './PasskeysSection.container';
