import type { NoticeText } from '../platform/audit/audit.ts';
import type { ClientDetails } from '../platform/audit/clientDetails.ts';
import type { Letter } from '../platform/mails/letter.ts';
import { greeting, hostOf, formatTime, type Addressee } from '../platform/mails/letters.ts';
import type { LinkOptions } from '../platform/settings/linkOptions.ts';

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
