import { defineEvents } from '../core/audit/audit.ts';

export const passwordCheckEvents = defineEvents({ 'password-breached': {} });
