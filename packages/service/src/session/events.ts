import { defineEvents } from '../core/audit/audit.ts';

export const sessionEvents = defineEvents({
  'sign-in': {
    activity: 'signed-in',
    activityOfFailure: 'sign-in-failed',
    notice: 'new-device',
    countedFromZero: { unavailable: ['google', 'microsoft'] },
  },
  'refresh-reuse': {
    isWarning: true,
    activityOfFailure: 'session-ended',
    noticeOfFailure: 'token-reused',
    countedFromZero: { failure: ['basic', 'google', 'microsoft'] },
  },
  'sessions-ended': { activity: 'session-ended' },
});
