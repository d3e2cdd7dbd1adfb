import type { NoticeText } from '../core/audit/audit.ts';
import type { ClientDetails } from '../core/audit/clientDetails.ts';
import type { Letter } from '../platform/mails/letter.ts';
import { greeting, hostOf, type Addressee } from '../core/mails/letters.ts';
import type { Text } from '../platform/texts/texts.ts';
import type { LinkOptions } from '../core/settings/linkOptions.ts';
import { noticeTexts as words } from './notices.messages.ts';

interface NoticedEvent extends ClientDetails {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A further sentence. */
  readonly told: Text | undefined;
  /** The link with which the reader answers. */
  readonly url: string;
}

/** 'Was this you?': asks the owner of an account about an event. */
export function noticeLetter(
  to: Addressee,
  { subject, sentence }: NoticeText,
  { at, browser, system, network, told, url }: NoticedEvent,
  links: LinkOptions,
): Letter {
  const device = browser !== null && system !== null ? words.browserOn(browser, system) : (browser ?? system);
  const facts: readonly Text[] = [
    words.time(new Date(at)),
    ...(device === null ? [] : [words.device(device)]),
    ...(network === null ? [] : [words.network(network)]),
  ];
  return {
    subject,
    parts: [
      greeting(to.firstName),
      words.about(sentence, to.username, hostOf(links)),
      ...(told === undefined ? [] : [told]),
      words.facts(facts.reduce((first, next) => words.list(first, next))),
      words.otherwise,
      { url, label: words.question },
    ],
  };
}
