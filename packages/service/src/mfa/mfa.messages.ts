import type { Value } from '../platform/texts/texts.ts';

export const mfaTexts = {
  setupOver: /*i18n*/ {
    id: 'mfa.setupOver',
    message: 'The time to enter the code is over. Please start again.',
  },
  noTexts: /*i18n*/ { id: 'mfa.noTexts', message: 'Text messages are not set up.' },
  phoneRefused: /*i18n*/ {
    id: 'mfa.phoneRefused',
    message: 'Please enter a US or GB phone number that takes text messages.',
  },
  minutes: (count: number) => /*i18n*/ ({
    id: 'mfa.minutes',
    message: '{count, plural, one {# minute} other {# minutes}}',
    values: { count },
  }),
  code: (code: Value, product: Value, life: Value) => /*i18n*/ ({
    id: 'mfa.code',
    message:
      '{code} is your {product} verification code. It is valid for {life}. Do not share it with anyone.',
    comment:
      'life: the text mfa.minutes. The whole text message has at most 160 characters, or 70 if one of them is not in GSM 03.38. The login host and the code take about 30 of them.',
    values: { code, product, life },
  }),
  changed: {
    subject: /*i18n*/ { id: 'mfa.changed.subject', message: 'Two-step verification was changed' },
    sentence: /*i18n*/ {
      id: 'mfa.changed.sentence',
      message: 'Two-step verification was changed for your account',
    },
  },
  phoneChanged: {
    subject: /*i18n*/ { id: 'mfa.phoneChanged.subject', message: 'Your phone number was changed' },
    sentence: /*i18n*/ {
      id: 'mfa.phoneChanged.sentence',
      message: 'The phone number for codes was changed for your account',
    },
  },
};
