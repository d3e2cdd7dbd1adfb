import { texts } from '../platform/texts/texts.ts';

/** The message of `vestibule outbox test`. */
export const outboxTexts = texts('outbox', {
  subject: 'Test message',
  text: (product: string): string => `This is a test message of ${product}.`,
});
