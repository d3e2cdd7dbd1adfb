/** The module of `/continue/{id}` and of the connected applications. */
export { connectedApplications } from './applications.saga';
export { ConnectedApplications } from './Applications.container';
export { continueScreen, proofOfIdentity } from './continue.saga';
export { openidReducer as reducer } from './openid.reducer';
