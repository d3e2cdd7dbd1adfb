import type { Value } from '../../platform/texts/texts.ts';

/**
 * The texts of mails, in plain words. Each names the account, the deadline, and what to do if the reader did not
 * cause it.
 */
export const mailTexts = {
  greeting: {
    named: (firstName: Value) => /*i18n*/ ({
      id: 'mails.greeting.named',
      message: 'Hello {firstName},',
      values: { firstName },
    }),
    unnamed: /*i18n*/ { id: 'mails.greeting.unnamed', message: 'Hello,' },
  },
  duration: {
    days: (count: number) => /*i18n*/ ({
      id: 'mails.duration.days',
      message: '{count, plural, one {# day} other {# days}}',
      values: { count },
    }),
    hours: (count: number) => /*i18n*/ ({
      id: 'mails.duration.hours',
      message: '{count, plural, one {# hour} other {# hours}}',
      values: { count },
    }),
    minutes: (count: number) => /*i18n*/ ({
      id: 'mails.duration.minutes',
      message: '{count, plural, one {# minute} other {# minutes}}',
      values: { count },
    }),
    seconds: (count: number) => /*i18n*/ ({
      id: 'mails.duration.seconds',
      message: '{count, plural, one {# second} other {# seconds}}',
      values: { count },
    }),
  },
  chooseNew: /*i18n*/ { id: 'mails.chooseNew', message: 'Choose a new password' },
  once: (duration: Value) => /*i18n*/ ({
    id: 'mails.once',
    message: 'The link works once, for {duration}.',
    values: { duration },
  }),
  doNothing: /*i18n*/ { id: 'mails.doNothing', message: 'If it was not you, do nothing.' },
  reset: {
    subject: /*i18n*/ { id: 'mails.reset.subject', message: 'Reset your password' },
    asked: (username: Value, host: Value) => /*i18n*/ ({
      id: 'mails.reset.asked',
      message:
        'Someone asked to reset the password of your account {username} at {host}. If it was you, choose a new password here:',
      values: { username, host },
    }),
    once: (duration: Value) => /*i18n*/ ({
      id: 'mails.reset.once',
      message: 'The link works once, for {duration}. Earlier links no longer work.',
      values: { duration },
    }),
    otherwise: /*i18n*/ {
      id: 'mails.reset.otherwise',
      message: 'If it was not you, do nothing: your password stays as it is.',
    },
  },
  noPassword: {
    subject: /*i18n*/ { id: 'mails.noPassword.subject', message: 'Your account has no password' },
    asked: (username: Value, host: Value) => /*i18n*/ ({
      id: 'mails.noPassword.asked',
      message:
        'Someone asked to reset the password of your account {username} at {host}. It has none: the sign-in page shows how you sign in.',
      values: { username, host },
    }),
    signIn: /*i18n*/ { id: 'mails.noPassword.signIn', message: 'Sign in' },
  },
  passwordChanged: {
    subject: /*i18n*/ { id: 'mails.passwordChanged.subject', message: 'Your password was changed' },
    changed: (username: Value, host: Value, time: Value) => /*i18n*/ ({
      id: 'mails.passwordChanged.changed',
      message:
        'Your password was changed: that of your account {username} at {host}, on {time}. You have been signed out everywhere.',
      values: { username, host, time },
    }),
    otherwise: /*i18n*/ {
      id: 'mails.passwordChanged.otherwise',
      message: 'If it was you, there is nothing to do. If it was not, choose another password at once:',
    },
    choose: /*i18n*/ { id: 'mails.passwordChanged.choose', message: 'Choose another password' },
  },
  wrongPasswords: {
    subject: /*i18n*/ { id: 'mails.wrongPasswords.subject', message: 'Wrong passwords for your account' },
    entered: (username: Value, host: Value, time: Value) => /*i18n*/ ({
      id: 'mails.wrongPasswords.entered',
      message:
        'Many wrong passwords were entered for your account {username} at {host}, the latest on {time}. For up to a day, passwords may be refused from where these came from, and from places where you have not signed in for 30 days.',
      values: { username, host, time },
    }),
    goOn: /*i18n*/ {
      id: 'mails.wrongPasswords.goOn',
      message:
        'You can go on where you are signed in, on devices that you trust, and where you signed in lately. If you cannot sign in, choose a new password:',
    },
    otherwise: /*i18n*/ {
      id: 'mails.wrongPasswords.otherwise',
      message: 'Otherwise there is nothing to do, as long as nobody else knows your password.',
    },
  },
  wrongCodes: {
    subject: /*i18n*/ { id: 'mails.wrongCodes.subject', message: 'Wrong codes for your account' },
    entered: (username: Value, host: Value, time: Value) => /*i18n*/ ({
      id: 'mails.wrongCodes.entered',
      message:
        'Someone has begun to sign in to your account {username} at {host} and then entered many wrong codes, the latest on {time}. For up to a day, codes may be refused from where these came from, and from places where you have not entered a right one for 30 days.',
      values: { username, host, time },
    }),
    otherwise: /*i18n*/ {
      id: 'mails.wrongCodes.otherwise',
      message:
        'If it was not you, they know your password, or can use your account at Google or Microsoft. Change your password there, or choose a new one here:',
    },
  },
  invitation: {
    subject: /*i18n*/ { id: 'mails.invitation.subject', message: 'Activate your account' },
    invited: (host: Value, username: Value) => /*i18n*/ ({
      id: 'mails.invitation.invited',
      message: 'You have been invited to {host}. Your username is {username}. Activate your account here:',
      values: { host, username },
    }),
    once: (duration: Value) => /*i18n*/ ({
      id: 'mails.invitation.once',
      message: 'The link works once, for {duration}. Earlier invitations no longer work.',
      values: { duration },
    }),
    otherwise: /*i18n*/ {
      id: 'mails.invitation.otherwise',
      message: 'If you do not expect an invitation, do nothing.',
    },
  },
  apiInvitation: {
    subject: /*i18n*/ { id: 'mails.apiInvitation.subject', message: 'Your API key and secret' },
    ready: (apiUser: Value, host: Value) => /*i18n*/ ({
      id: 'mails.apiInvitation.ready',
      message:
        'An API key and a secret for {apiUser} are ready at {host}. They are shown once, so open the link when you can store them:',
      values: { apiUser, host },
    }),
    show: /*i18n*/ { id: 'mails.apiInvitation.show', message: 'Show the key and the secret' },
    once: (duration: Value) => /*i18n*/ ({
      id: 'mails.apiInvitation.once',
      message: 'The link works once, for {duration}. If it was opened before you came, tell who invited you.',
      values: { duration },
    }),
  },
  magic: {
    subject: /*i18n*/ { id: 'mails.magic.subject', message: 'Your link' },
    link: (username: Value, host: Value) => /*i18n*/ ({
      id: 'mails.magic.link',
      message:
        'Here is the link for your account {username} at {host}. Whoever opens it acts in your name, so do not pass it on:',
      values: { username, host },
    }),
    open: /*i18n*/ { id: 'mails.magic.open', message: 'Open' },
    otherwise: /*i18n*/ { id: 'mails.magic.otherwise', message: 'If you do not expect it, do nothing.' },
  },
};
