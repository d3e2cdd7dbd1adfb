import { texts } from '@shared/texts';

/** Texts for the events of payments. */
export const eventMessages = texts('confirmations/events', {
  activity: { 'payment-confirmed': 'Payment confirmed', 'payment-declined': 'Payment declined' },
  notices: {
    'payment-failed': 'Someone tried five times without success to confirm a payment from your account.',
    'payment-method-blocked':
      'After five failed attempts in a row, a method of confirming payments is blocked for a while for your account.',
  },
});
