export { fulfilWish } from './fulfilWish.saga';
export { keepPasskeys } from './keepPasskeys.saga';
export { PasskeysSection } from './PasskeysSection.container';
