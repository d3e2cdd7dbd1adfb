import { texts } from '../platform/texts/texts.ts';

/** The texts of mails that ask about an event. */
export const noticeTexts = texts('notices', {
  /** `{0}` is a text `….sentence`, such as 'A passkey was added to your account'. */
  about: (sentence: string, username: string, host: string): string => `${sentence} ${username} at ${host}.`,
  browserOn: (browser: string, system: string): string => `${browser} on ${system}`,
  time: (time: string): string => `Time: ${time}`,
  device: (device: string): string => `Device: ${device}`,
  network: (network: string): string => `Network: ${network}`,
  /** Joins time, device and network. */
  list: (first: string, next: string): string => `${first}. ${next}`,
  /** The joined facts. */
  facts: (facts: string): string => `${facts}.`,
  otherwise: 'If it was you, there is nothing to do. If it was not, secure your account:',
  question: 'Was this you?',
  secondStepMissed: {
    subject: 'A sign-in stopped at the second step',
    sentence: 'Someone passed the first step, but not the second, of a sign-in to your account',
  },
});
