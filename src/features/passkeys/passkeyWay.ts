/** The module that sign-in, second step and verify identity load. */
export { addAutomatically } from './addAutomatically.saga';
export { offerInField } from './offerInField.saga';
export { PasskeyButton } from './PasskeyButton.container';
export { signInByPasskey as signIn } from './signInByPasskey.saga';
export { verifyByPasskey as verify } from './verifyByPasskey.saga';
