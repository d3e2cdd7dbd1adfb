import { defineEvents } from '../core/audit/audit.ts';

export const linkEvents = defineEvents({
  'link-issued': {},
  'link-used': {},
  'api-keys-revoked': {},
});
