export { ActivitySection as Section } from './ActivitySection.container';
export { activityReducer } from './activity.slice';
