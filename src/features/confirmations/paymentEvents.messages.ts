/** Texts for the events of payments. */
export const eventMessages = {
  activity: {
    'payment-confirmed': /*i18n*/ {
      id: 'confirmations/events.activity.payment-confirmed',
      message: 'Payment confirmed',
    },
    'payment-declined': /*i18n*/ {
      id: 'confirmations/events.activity.payment-declined',
      message: 'Payment declined',
    },
  },
  notices: {
    'payment-failed': /*i18n*/ {
      id: 'confirmations/events.notices.payment-failed',
      message: 'Someone tried five times without success to confirm a payment from your account.',
    },
    'payment-method-blocked': /*i18n*/ {
      id: 'confirmations/events.notices.payment-method-blocked',
      message:
        'After five failed attempts in a row, a method of confirming payments is blocked for a while for your account.',
    },
  },
};
