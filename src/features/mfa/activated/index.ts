export { activated } from './activated.saga';
export { MfaActivatedScreen } from './MfaActivated.container';
