import type { LinkOptions } from '../settings/linkOptions.ts';
import type { Letter } from './letter.ts';

/**
 * The texts of mails, in plain words. Each names the account, the deadline, and what to do if the reader did not
 * cause it.
 */

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
  return {
    subject: 'Reset your password',
    parts: [
      greeting(to.firstName),
      `Someone asked to reset the password of your account ${to.username} at ${hostOf(links)}. If it was you, choose a new password here:`,
      { url, label: 'Choose a new password' },
      `The link works once, for ${formatDuration(seconds)}. Earlier links no longer work.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  };
}

/** The mail to a user who has requested a reset and signs in with a provider. */
export function noPasswordLetter(to: Addressee, links: LinkOptions): Letter {
  return {
    subject: 'Your account has no password',
    parts: [
      greeting(to.firstName),
      `Someone asked to reset the password of your account ${to.username} at ${hostOf(links)}. It has none: the sign-in page shows how you sign in.`,
      { url: `${links.signOnUrl}/login`, label: 'Sign in' },
      'If it was not you, do nothing.',
    ],
  };
}

/** @param at milliseconds since 1970. */
export function passwordChangedLetter(to: Addressee, at: number, links: LinkOptions): Letter {
  return {
    subject: 'Your password was changed',
    parts: [
      greeting(to.firstName),
      `Your password was changed: that of your account ${to.username} at ${hostOf(links)}, on ${formatTime(at)}. You have been signed out everywhere.`,
      'If it was you, there is nothing to do. If it was not, choose another password at once:',
      { url: `${links.signOnUrl}/forgot-password`, label: 'Choose another password' },
    ],
  };
}

/** Sent when the daily limit of wrong passwords is reached. @param at milliseconds since 1970. */
export function wrongPasswordsLetter(to: Addressee, at: number, links: LinkOptions): Letter {
  return {
    subject: 'Wrong passwords for your account',
    parts: [
      greeting(to.firstName),
      `Many wrong passwords were entered for your account ${to.username} at ${hostOf(links)}, the latest on ${formatTime(at)}. For up to a day, passwords may be refused from where these came from, and from places where you have not signed in for 30 days.`,
      'You can go on where you are signed in, on devices that you trust, and where you signed in lately. If you cannot sign in, choose a new password:',
      { url: `${links.signOnUrl}/forgot-password`, label: 'Choose a new password' },
      'Otherwise there is nothing to do, as long as nobody else knows your password.',
    ],
  };
}

/** Sent when the daily limit of wrong codes is reached. @param at milliseconds since 1970. */
export function wrongCodesLetter(to: Addressee, at: number, links: LinkOptions): Letter {
  return {
    subject: 'Wrong codes for your account',
    parts: [
      greeting(to.firstName),
      `Someone has begun to sign in to your account ${to.username} at ${hostOf(links)} and then entered many wrong codes, the latest on ${formatTime(at)}. For up to a day, codes may be refused from where these came from, and from places where you have not entered a right one for 30 days.`,
      'If it was not you, they know your password, or can use your account at Google or Microsoft. Change your password there, or choose a new one here:',
      { url: `${links.signOnUrl}/forgot-password`, label: 'Choose a new password' },
    ],
  };
}

/** The invitation of a user. */
export function invitationLetter(
  username: string,
  { url, seconds }: LinkedLetter,
  links: LinkOptions,
): Letter {
  return {
    subject: 'Activate your account',
    parts: [
      'Hello,',
      `You have been invited to ${hostOf(links)}. Your username is ${username}. Activate your account here:`,
      { url, label: 'Activate your account' },
      `The link works once, for ${formatDuration(seconds)}. Earlier invitations no longer work.`,
      'If you do not expect an invitation, do nothing.',
    ],
  };
}

/** The invitation of an API user. */
export function apiInvitationLetter(
  apiUser: string,
  { url, seconds }: LinkedLetter,
  links: LinkOptions,
): Letter {
  return {
    subject: 'Your API key and secret',
    parts: [
      'Hello,',
      `An API key and a secret for ${apiUser} are ready at ${hostOf(links)}. They are shown once, so open the link when you can store them:`,
      { url, label: 'Show the key and the secret' },
      `The link works once, for ${formatDuration(seconds)}. If it was opened before you came, tell who invited you.`,
    ],
  };
}

/** A magic link. */
export function magicLetter(to: Addressee, { url, seconds }: LinkedLetter, links: LinkOptions): Letter {
  return {
    subject: 'Your link',
    parts: [
      greeting(to.firstName),
      `Here is the link for your account ${to.username} at ${hostOf(links)}. Whoever opens it acts in your name, so do not pass it on:`,
      { url, label: 'Open' },
      `The link works once, for ${formatDuration(seconds)}.`,
      'If you do not expect it, do nothing.',
    ],
  };
}

export function greeting(firstName: string): string {
  return firstName.trim() === '' ? 'Hello,' : `Hello ${firstName},`;
}

export function hostOf({ signOnUrl }: LinkOptions): string {
  return new URL(signOnUrl).host;
}

/** Formats a duration in the largest unit that divides it: '7 days', '1 hour', '90 minutes'. */
function formatDuration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [name, length] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Formats a time in UTC, because the time zone of the reader is unknown. */
export function formatTime(at: number): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${date.format(at)} (UTC)`;
}
