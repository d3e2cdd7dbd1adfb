import { defineEvents } from '../core/audit/audit.ts';

export const passwordEvents = defineEvents({
  'password-forgotten': {},
  'password-reset': { activity: 'password-changed', notice: 'password-changed' },
  'password-change': { activity: 'password-changed', notice: 'password-changed' },
  activation: { activity: 'password-changed' },
});
