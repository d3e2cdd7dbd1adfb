import { defineEvents } from '../core/audit/audit.ts';

export const recoveryEvents = defineEvents({
  'recovery-codes-made': { notice: 'recovery-codes-made' },
  'recovery-code-used': { activity: 'recovery-code-used', notice: 'recovery-code-used' },
});
