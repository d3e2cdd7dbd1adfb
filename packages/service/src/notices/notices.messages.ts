import type { Value } from '../platform/texts/texts.ts';

/** The texts of mails that ask about an event. */
export const noticeTexts = {
  about: (sentence: Value, username: Value, host: Value) => /*i18n*/ ({
    id: 'notices.about',
    message: '{sentence} {username} at {host}.',
    comment: 'sentence: a text whose id ends with .sentence, such as “A passkey was added to your account”.',
    values: { sentence, username, host },
  }),
  browserOn: (browser: Value, system: Value) => /*i18n*/ ({
    id: 'notices.browserOn',
    message: '{browser} on {system}',
    values: { browser, system },
  }),
  time: (time: Value) => /*i18n*/ ({ id: 'notices.time', message: 'Time: {time}', values: { time } }),
  device: (device: Value) => /*i18n*/ ({
    id: 'notices.device',
    message: 'Device: {device}',
    values: { device },
  }),
  network: (network: Value) => /*i18n*/ ({
    id: 'notices.network',
    message: 'Network: {network}',
    values: { network },
  }),
  list: (first: Value, next: Value) => /*i18n*/ ({
    id: 'notices.list',
    message: '{first}. {next}',
    comment: 'Joins time, device and network.',
    values: { first, next },
  }),
  facts: (facts: Value) => /*i18n*/ ({
    id: 'notices.facts',
    message: '{facts}.',
    comment: 'facts: the time, perhaps with device and network, joined by notices.list.',
    values: { facts },
  }),
  otherwise: /*i18n*/ {
    id: 'notices.otherwise',
    message: 'If it was you, there is nothing to do. If it was not, secure your account:',
  },
  question: /*i18n*/ { id: 'notices.question', message: 'Was this you?' },
  secondStepMissed: {
    subject: /*i18n*/ {
      id: 'notices.secondStepMissed.subject',
      message: 'A sign-in stopped at the second step',
    },
    sentence: /*i18n*/ {
      id: 'notices.secondStepMissed.sentence',
      message: 'Someone passed the first step, but not the second, of a sign-in to your account',
    },
  },
};
