export { securityNoticeReducer as reducer } from './securityNotice.slice';
