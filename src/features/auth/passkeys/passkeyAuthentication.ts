export { offerInField } from './offerInField.saga';
export { PasskeyButton } from './PasskeyButton.container';
export { signInByPasskey } from './signInByPasskey.saga';
export { verifyByPasskey } from './verifyByPasskey.saga';
