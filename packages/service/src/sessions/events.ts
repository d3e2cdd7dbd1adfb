import { defineEvents } from '../core/audit/audit.ts';

export const sessionsEvents = defineEvents({ 'devices-forgotten': {} });
