import { defineEvents } from '../core/audit/audit.ts';

export const noticeEvents = defineEvents({ 'notice-answered': {} });
