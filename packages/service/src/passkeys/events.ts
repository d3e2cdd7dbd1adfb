import { defineEvents } from '../core/audit/audit.ts';

export const passkeyEvents = defineEvents({
  'passkey-added': { activity: 'passkey-added', notice: 'passkey-added' },
  'passkey-renamed': {},
  'passkey-removed': { activity: 'passkey-removed', notice: 'passkey-removed' },
});
