import { defineEvents } from '../core/audit/audit.ts';

export const paymentEvents = defineEvents({
  'payment-asked': {},
  /** A text message with a code. */
  'payment-sent': {},
  /** A failure is a wrong code, or a passkey that was refused. */
  'payment-confirmed': { activity: 'payment-confirmed' },
  'payment-declined': { activity: 'payment-declined' },
  'payment-failed': { notice: 'payment-failed' },
  /** `method` is that of the element that permitted it. */
  'payment-element-permitted': {},
  'payment-expired': {},
  'payment-method-blocked': { notice: 'payment-method-blocked' },
});
