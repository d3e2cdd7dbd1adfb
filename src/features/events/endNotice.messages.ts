/** The texts that say why a session ended. */
export const endNoticeMessages = {
  'ended-elsewhere': /*i18n*/ {
    id: 'events.ended-elsewhere',
    message: 'You were signed out on another device.',
  },
  'password-changed': /*i18n*/ {
    id: 'events.password-changed',
    message: 'Your password was changed. Sign in again.',
  },
  locked: /*i18n*/ { id: 'events.locked', message: 'Your account is locked.' },
  reused: /*i18n*/ { id: 'events.reused', message: 'You were signed out for your safety.' },
};
