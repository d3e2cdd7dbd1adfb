export { ActivitySection } from './ActivitySection';
export { activityReducer } from './activity.slice';
