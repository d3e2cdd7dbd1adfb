import type { ScreenModule } from '@shared/deps';
import { SecurityNoticeScreen } from './SecurityNotice.container';
import { securityNotice } from './securityNotice.saga';

/** `/security-notice/{hash}`. */
export const securityNoticeScreen: ScreenModule = { Screen: SecurityNoticeScreen, saga: securityNotice };
