import { defineEvents } from '../core/audit/audit.ts';

export const mfaEvents = defineEvents({
  'second-step': { activityOfFailure: 'sign-in-failed' },
  'two-step-set': { activity: 'mfa-changed', notice: 'mfa-changed' },
  'two-step-off': { activity: 'mfa-changed', notice: 'mfa-changed' },
  'phone-change': { activity: 'mfa-changed', notice: 'phone-changed' },
  'two-step-reset': { activity: 'mfa-changed', notice: 'mfa-changed' },
  'device-trusted': {},
});
