import { defineEvents } from '../core/audit/audit.ts';

export const signInEvents = defineEvents({
  'password-rehashed': {},
});
