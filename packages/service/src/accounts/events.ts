import { defineEvents } from '../core/audit/audit.ts';

export const accountEvents = defineEvents({
  'account-written': {},
  'account-changed': {},
  'account-imported': {},
  'accounts-exported': {},
  'account-erased': {},
  'account-locked': { activity: 'locked', notice: 'locked' },
  'account-unlocked': {},
  'account-disabled': { activity: 'locked' },
  'account-enabled': {},
  'new-password-required': {},
  'identity-bound': {},
  'signing-key-rotated': {},
  'signing-key-revoked': {},
  'secrets-resealed': {},
});
