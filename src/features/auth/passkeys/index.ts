export { applyPasskeyChange } from './applyPasskeyChange.saga';
export { managePasskeys } from './managePasskeys.saga';
export { PasskeysSection } from './PasskeysSection.container';
