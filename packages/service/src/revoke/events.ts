import { defineEvents } from '../core/audit/audit.ts';

export const revokeEvents = defineEvents({ 'sign-out': { activity: 'session-ended' } });
