export { ActivitySection as Section } from './ActivitySection.container';
export { activityReducer } from './activity.slice';
export { offerToEndOthers as saga } from './other-sessions/offerToEndOthers.saga';
export { OtherSessionsOffer } from './other-sessions/OtherSessions.container';
export { factorsChanged, otherSessionsReducer as reducer } from './other-sessions/otherSessions.slice';
