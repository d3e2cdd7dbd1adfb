import type { ScreenModule } from '@shared/deps';
import { Activity } from './Activity.container';
import { activity } from './activity.saga';

export { ActivitySection } from './ActivitySection.container';
export { offerToEndOthers as saga } from './offerToEndOthers.saga';
export { OtherSessionsOffer } from './OtherSessions.container';
export { factorsChanged } from './otherSessions.slice';
export { sessionsReducer as reducer } from './sessions.reducer';

/** `/account-activity`. */
export const activityScreen: ScreenModule = { Screen: Activity, saga: activity };
