import { defineEvents } from '../core/audit/audit.ts';

export const identityEvents = defineEvents({
  'identity-check': {},
  lockout: {
    activityOfFailure: 'locked',
    noticeOfFailure: 'locked',
    countedFromZero: { failure: ['password', 'challenge', 'setup'] },
  },
});
