import type { ScreenModule } from '@shared/routing/screenModule';
import { SecurityNoticeScreen } from './SecurityNotice.container';
import { securityNotice } from './securityNotice.saga';

/** `/security-notice/{hash}`, of the extension `notices`. */
export const securityNoticeScreen: ScreenModule = { Screen: SecurityNoticeScreen, saga: securityNotice };
