/** Texts of devices and activity. */
export const activityMessages = {
  title: /*i18n*/ { id: 'sessions.title', message: 'Devices and Activity' },
  section: {
    text: /*i18n*/ { id: 'sessions.section.text', message: 'See where you are signed in.' },
    review: /*i18n*/ { id: 'sessions.section.review', message: 'Review' },
  },
  back: /*i18n*/ { id: 'sessions.back', message: 'Settings' },
  sessions: {
    title: /*i18n*/ { id: 'sessions.sessions.title', message: 'Where you are signed in' },
    loading: /*i18n*/ { id: 'sessions.sessions.loading', message: 'Loading where you are signed in' },
    failed: /*i18n*/ {
      id: 'sessions.sessions.failed',
      message: 'Where you are signed in could not be loaded.',
    },
    tryAgain: /*i18n*/ { id: 'sessions.sessions.tryAgain', message: 'Try Again' },
    empty: /*i18n*/ { id: 'sessions.sessions.empty', message: 'You are signed in nowhere.' },
    current: /*i18n*/ { id: 'sessions.sessions.current', message: 'This device' },
    signedIn: /*i18n*/ { id: 'sessions.sessions.signedIn', message: 'Signed in' },
    lastSeen: /*i18n*/ { id: 'sessions.sessions.lastSeen', message: 'Last seen' },
    end: /*i18n*/ { id: 'sessions.sessions.end', message: 'Sign Out' },
    endOthers: /*i18n*/ { id: 'sessions.sessions.endOthers', message: 'Sign Out Everywhere Else' },
  },
  devices: {
    title: /*i18n*/ { id: 'sessions.devices.title', message: 'Trusted devices' },
    loading: /*i18n*/ { id: 'sessions.devices.loading', message: 'Loading your trusted devices' },
    failed: /*i18n*/ { id: 'sessions.devices.failed', message: 'Your trusted devices could not be loaded.' },
    tryAgain: /*i18n*/ { id: 'sessions.devices.tryAgain', message: 'Try Again' },
    empty: /*i18n*/ { id: 'sessions.devices.empty', message: 'Every device asks for your second step.' },
    trusted: /*i18n*/ { id: 'sessions.devices.trusted', message: 'Trusted since' },
    expires: /*i18n*/ { id: 'sessions.devices.expires', message: 'Until' },
    forget: /*i18n*/ { id: 'sessions.devices.forget', message: 'Forget' },
  },
  events: {
    title: /*i18n*/ { id: 'sessions.events.title', message: 'Recent activity' },
    loading: /*i18n*/ { id: 'sessions.events.loading', message: 'Loading your recent activity' },
    failed: /*i18n*/ { id: 'sessions.events.failed', message: 'Your recent activity could not be loaded.' },
    tryAgain: /*i18n*/ { id: 'sessions.events.tryAgain', message: 'Try Again' },
    empty: /*i18n*/ { id: 'sessions.events.empty', message: 'Nothing happened in the last ninety days.' },
    more: /*i18n*/ { id: 'sessions.events.more', message: 'Show More' },
    kinds: {
      'signed-in': /*i18n*/ { id: 'sessions.events.kinds.signed-in', message: 'Signed in' },
      'sign-in-failed': /*i18n*/ { id: 'sessions.events.kinds.sign-in-failed', message: 'Failed sign-in' },
      'password-changed': /*i18n*/ {
        id: 'sessions.events.kinds.password-changed',
        message: 'Password changed',
      },
      'mfa-changed': /*i18n*/ {
        id: 'sessions.events.kinds.mfa-changed',
        message: '2-step verification changed',
      },
      locked: /*i18n*/ { id: 'sessions.events.kinds.locked', message: 'Account locked' },
      'session-ended': /*i18n*/ { id: 'sessions.events.kinds.session-ended', message: 'Signed out' },
    },
  },
  /** The names of the sign-in methods, which follow the time or the event. */
  methods: {
    basic: /*i18n*/ { id: 'sessions.methods.basic', message: 'with a password' },
    google: /*i18n*/ { id: 'sessions.methods.google', message: 'with Google' },
    microsoft: /*i18n*/ { id: 'sessions.methods.microsoft', message: 'with Microsoft' },
    link: /*i18n*/ { id: 'sessions.methods.link', message: 'with a link' },
  },
  error: {
    id: 'activity-error',
    title: /*i18n*/ { id: 'sessions.error.title', message: 'Devices and Activity' },
    confirmLabel: /*i18n*/ { id: 'sessions.error.confirmLabel', message: 'Ok' },
  },
  signedInElsewhere: /*i18n*/ {
    id: 'sessions.signedInElsewhere',
    message: 'You are also signed in elsewhere.',
  },
  confirmOthers: {
    id: 'end-other-sessions',
    title: /*i18n*/ { id: 'sessions.confirmOthers.title', message: 'Sign Out Everywhere Else' },
    message: /*i18n*/ {
      id: 'sessions.confirmOthers.message',
      message: 'You stay signed in on this device only.',
    },
    confirmLabel: /*i18n*/ { id: 'sessions.confirmOthers.confirmLabel', message: 'Sign Out Everywhere Else' },
    cancelLabel: /*i18n*/ { id: 'sessions.confirmOthers.cancelLabel', message: 'Cancel' },
    tone: 'danger' as const,
  },
};
