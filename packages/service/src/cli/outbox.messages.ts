import type { Value } from '../platform/texts/texts.ts';

/** The message of `vestibule outbox test`. */
export const outboxTexts = {
  subject: /*i18n*/ { id: 'outbox.subject', message: 'Test message' },
  text: (product: Value) => /*i18n*/ ({
    id: 'outbox.text',
    message: 'This is a test message of {product}.',
    values: { product },
  }),
};
