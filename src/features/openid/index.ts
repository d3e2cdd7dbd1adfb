/** The module of `/continue/{id}`. */
export { continueReducer as reducer } from './continue.slice';
export { continueScreen, proofOfIdentity } from './continue.saga';
