import type { ScreenModule } from '@shared/routing/screenModule';
import { Activity } from './Activity.container';
import { activity } from './activity.saga';

/** `/account-activity`, of the extension `sessions`. */
export const activityScreen: ScreenModule = { Screen: Activity, saga: activity };
