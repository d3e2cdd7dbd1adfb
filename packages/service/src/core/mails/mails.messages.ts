import { plural } from '@vestibule/contract/plural';
import { texts } from '../../platform/texts/texts.ts';

/**
 * The texts of mails, in plain words. Each names the account, the deadline, and what to do if the reader did not
 * cause it.
 */
export const mailTexts = texts('mails', {
  greeting: {
    named: (firstName: string): string => `Hello ${firstName},`,
    unnamed: 'Hello,',
  },
  duration: {
    days: (count: number): string => plural(count, { one: '# day', other: '# days' }),
    hours: (count: number): string => plural(count, { one: '# hour', other: '# hours' }),
    minutes: (count: number): string => plural(count, { one: '# minute', other: '# minutes' }),
    seconds: (count: number): string => plural(count, { one: '# second', other: '# seconds' }),
  },
  chooseNew: 'Choose a new password',
  once: (duration: string): string => `The link works once, for ${duration}.`,
  doNothing: 'If it was not you, do nothing.',
  reset: {
    subject: 'Reset your password',
    asked: (username: string, host: string): string =>
      `Someone asked to reset the password of your account ${username} at ${host}. If it was you, choose a new password here:`,
    once: (duration: string): string => `The link works once, for ${duration}. Earlier links no longer work.`,
    otherwise: 'If it was not you, do nothing: your password stays as it is.',
  },
  noPassword: {
    subject: 'Your account has no password',
    asked: (username: string, host: string): string =>
      `Someone asked to reset the password of your account ${username} at ${host}. It has none: the sign-in page shows how you sign in.`,
    signIn: 'Sign in',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    changed: (username: string, host: string, time: string): string =>
      `Your password was changed: that of your account ${username} at ${host}, on ${time}. You have been signed out everywhere.`,
    otherwise: 'If it was you, there is nothing to do. If it was not, choose another password at once:',
    choose: 'Choose another password',
  },
  wrongPasswords: {
    subject: 'Wrong passwords for your account',
    entered: (username: string, host: string, time: string): string =>
      `Many wrong passwords were entered for your account ${username} at ${host}, the latest on ${time}. For up to a day, passwords may be refused from where these came from, and from places where you have not signed in for 30 days.`,
    goOn: 'You can go on where you are signed in, on devices that you trust, and where you signed in lately. If you cannot sign in, choose a new password:',
    otherwise: 'Otherwise there is nothing to do, as long as nobody else knows your password.',
  },
  wrongCodes: {
    subject: 'Wrong codes for your account',
    entered: (username: string, host: string, time: string): string =>
      `Someone has begun to sign in to your account ${username} at ${host} and then entered many wrong codes, the latest on ${time}. For up to a day, codes may be refused from where these came from, and from places where you have not entered a right one for 30 days.`,
    otherwise:
      'If it was not you, they know your password, or can use your account at Google or Microsoft. Change your password there, or choose a new one here:',
  },
  invitation: {
    subject: 'Activate your account',
    invited: (host: string, username: string): string =>
      `You have been invited to ${host}. Your username is ${username}. Activate your account here:`,
    once: (duration: string): string =>
      `The link works once, for ${duration}. Earlier invitations no longer work.`,
    otherwise: 'If you do not expect an invitation, do nothing.',
  },
  apiInvitation: {
    subject: 'Your API key and secret',
    ready: (apiUser: string, host: string): string =>
      `An API key and a secret for ${apiUser} are ready at ${host}. They are shown once, so open the link when you can store them:`,
    show: 'Show the key and the secret',
    once: (duration: string): string =>
      `The link works once, for ${duration}. If it was opened before you came, tell who invited you.`,
  },
  magic: {
    subject: 'Your link',
    link: (username: string, host: string): string =>
      `Here is the link for your account ${username} at ${host}. Whoever opens it acts in your name, so do not pass it on:`,
    open: 'Open',
    otherwise: 'If you do not expect it, do nothing.',
  },
});
