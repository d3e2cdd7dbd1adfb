import { defineEvents } from '../audit/audit.ts';

/** The events of clients. */
export const clientEvents = defineEvents({
  'client-added': { isOfClient: true },
  'client-secret-rotated': { isOfClient: true },
  'client-removed': { isOfClient: true },
});
