import type { ClientDetails } from '../audit/clientDetails.ts';
import type { LinkOptions } from '../settings/linkOptions.ts';
import type { Letter } from './letter.ts';
import { greeting, hostOf, formatTime, type Addressee } from './letters.ts';

/** Subject, and the sentence about the event, which the username follows. */
export type NoticeText = readonly [subject: string, sentence: string];

/** The kinds of notices, as the contract names them. */
export const noticeTexts: Readonly<Record<string, NoticeText>> = {
  'new-device': ['New sign-in to your account', 'Someone signed in to your account'],
  'password-changed': ['Your password was changed', 'The password was changed for your account'],
  'mfa-changed': ['Two-step verification was changed', 'Two-step verification was changed for your account'],
  'phone-changed': [
    'Your phone number was changed',
    'The phone number for codes was changed for your account',
  ],
  locked: ['Your account was locked', 'Sign-in with the password was locked for your account'],
  'second-step-missed': [
    'A sign-in stopped at the second step',
    'Someone passed the first step, but not the second, of a sign-in to your account',
  ],
  'token-reused': ['You were signed out', 'A copy of a session was used. It was ended in your account'],
};

interface NoticedEvent extends ClientDetails {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The link with which the reader answers. */
  readonly url: string;
}

/** 'Was this you?': asks the owner of an account about an event. */
export function noticeLetter(
  to: Addressee,
  [subject, sentence]: NoticeText,
  { at, browser, system, network, url }: NoticedEvent,
  links: LinkOptions,
): Letter {
  const device = [browser, system].filter((part) => part !== null).join(' on ');
  const details = [
    `Time: ${formatTime(at)}`,
    ...(device === '' ? [] : [`Device: ${device}`]),
    ...(network === null ? [] : [`Network: ${network}`]),
  ];
  return {
    subject,
    parts: [
      greeting(to.firstName),
      `${sentence} ${to.username} at ${hostOf(links)}.`,
      details.join('. ') + '.',
      'If it was you, there is nothing to do. If it was not, secure your account:',
      { url, label: 'Was this you?' },
    ],
  };
}
