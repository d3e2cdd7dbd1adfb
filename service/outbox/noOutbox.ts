import type { Outbox } from './outbox';

/** Refuses every message: where nothing else is configured. */
export const noOutbox: Outbox = {
  sendTextMessage: () => Promise.reject(new Error('No outbox is configured for text messages.')),
  sendMail: () => Promise.reject(new Error('No outbox is configured for mails.')),
};
