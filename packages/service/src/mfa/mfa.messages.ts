import { plural } from '@vestibule/contract/plural';
import { texts } from '../platform/texts/texts.ts';

export const mfaTexts = texts('mfa', {
  setupOver: 'The time to enter the code is over. Please start again.',
  noTexts: 'Text messages are not set up.',
  phoneRefused: 'Please enter a US or GB phone number that takes text messages.',
  minutes: (count: number): string => plural(count, { one: '# minute', other: '# minutes' }),
  /**
   * `{2}` is one of the texts `minutes`. The whole text message has at most 160 characters, or 70 if one of them is not in GSM 03.38. The
   * login host and the code take about 30 of them.
   */
  code: (code: string, product: string, life: string): string =>
    `${code} is your ${product} verification code. It is valid for ${life}. Do not share it with anyone.`,
  changed: {
    subject: 'Two-step verification was changed',
    sentence: 'Two-step verification was changed for your account',
  },
  phoneChanged: {
    subject: 'Your phone number was changed',
    sentence: 'The phone number for codes was changed for your account',
  },
});
