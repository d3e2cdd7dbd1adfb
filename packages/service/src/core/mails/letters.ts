import type { LinkOptions } from '../settings/linkOptions.ts';
import type { Text } from '../../platform/texts/texts.ts';
import type { Letter } from '../../platform/mails/letter.ts';
import { mailTexts as words } from './mails.messages.ts';

export interface Addressee {
  readonly firstName: string;
  readonly username: string;
}

interface LinkedLetter {
  readonly url: string;
  /** Lifetime of the link. */
  readonly seconds: number;
}

/** A link to choose a new password, which anyone who knows the address can request. */
export function resetLetter(to: Addressee, { url, seconds }: LinkedLetter, links: LinkOptions): Letter {
  const { subject, asked, once, otherwise } = words.reset;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      asked(to.username, hostOf(links)),
      { url, label: words.chooseNew },
      once(duration(seconds)),
      otherwise,
    ],
  };
}

/** The mail to a user who has requested a reset and signs in with a provider. */
export function noPasswordLetter(to: Addressee, links: LinkOptions): Letter {
  const { subject, asked, signIn } = words.noPassword;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      asked(to.username, hostOf(links)),
      { url: `${links.signOnUrl}/login`, label: signIn },
      words.doNothing,
    ],
  };
}

/** @param at milliseconds since 1970. */
export function passwordChangedLetter(to: Addressee, at: number, links: LinkOptions): Letter {
  const { subject, changed, otherwise, choose } = words.passwordChanged;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      changed(to.username, hostOf(links), new Date(at)),
      otherwise,
      { url: `${links.signOnUrl}/forgot-password`, label: choose },
    ],
  };
}

/** Sent when the daily limit of wrong passwords is reached. @param at milliseconds since 1970. */
export function wrongPasswordsLetter(to: Addressee, at: number, links: LinkOptions): Letter {
  const { subject, entered, goOn, otherwise } = words.wrongPasswords;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      entered(to.username, hostOf(links), new Date(at)),
      goOn,
      { url: `${links.signOnUrl}/forgot-password`, label: words.chooseNew },
      otherwise,
    ],
  };
}

/** Sent when the daily limit of wrong codes is reached. @param at milliseconds since 1970. */
export function wrongCodesLetter(to: Addressee, at: number, links: LinkOptions): Letter {
  const { subject, entered, otherwise } = words.wrongCodes;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      entered(to.username, hostOf(links), new Date(at)),
      otherwise,
      { url: `${links.signOnUrl}/forgot-password`, label: words.chooseNew },
    ],
  };
}

/** The invitation of a user. */
export function invitationLetter(
  username: string,
  { url, seconds }: LinkedLetter,
  links: LinkOptions,
): Letter {
  const { subject, invited, once, otherwise } = words.invitation;
  return {
    subject,
    parts: [
      words.greeting.unnamed,
      invited(hostOf(links), username),
      { url, label: subject },
      once(duration(seconds)),
      otherwise,
    ],
  };
}

/** The invitation of an API user. */
export function apiInvitationLetter(
  apiUser: string,
  { url, seconds }: LinkedLetter,
  links: LinkOptions,
): Letter {
  const { subject, ready, show, once } = words.apiInvitation;
  return {
    subject,
    parts: [
      words.greeting.unnamed,
      ready(apiUser, hostOf(links)),
      { url, label: show },
      once(duration(seconds)),
    ],
  };
}

/** A magic link. */
export function magicLetter(to: Addressee, { url, seconds }: LinkedLetter, links: LinkOptions): Letter {
  const { subject, link, open, otherwise } = words.magic;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      link(to.username, hostOf(links)),
      { url, label: open },
      words.once(duration(seconds)),
      otherwise,
    ],
  };
}

export function greeting(firstName: string): Text {
  const { named, unnamed } = words.greeting;
  return firstName.trim() === '' ? unnamed : named(firstName);
}

export function hostOf({ signOnUrl }: LinkOptions): string {
  return new URL(signOnUrl).host;
}

/** A duration in the largest unit that divides it: '7 days', '1 hour', '90 minutes'. */
function duration(seconds: number): Text {
  const { days, hours, minutes, seconds: inSeconds } = words.duration;
  const units = [
    [days, 86_400],
    [hours, 3600],
    [minutes, 60],
  ] as const;
  const [unit, length] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? [inSeconds, 1];
  return unit(seconds / length);
}
