import { texts } from '@shared/texts';

/** Texts of devices and activity. */
export const activityMessages = texts('sessions', {
  title: 'Devices and Activity',
  section: { text: 'See where you are signed in.', review: 'Review' },
  back: 'Settings',
  sessions: {
    title: 'Where you are signed in',
    loading: 'Loading where you are signed in',
    failed: 'Where you are signed in could not be loaded.',
    tryAgain: 'Try Again',
    empty: 'You are signed in nowhere.',
    current: 'This device',
    signedIn: 'Signed in',
    lastSeen: 'Last seen',
    end: 'Sign Out',
    endOthers: 'Sign Out Everywhere Else',
  },
  devices: {
    title: 'Trusted devices',
    loading: 'Loading your trusted devices',
    failed: 'Your trusted devices could not be loaded.',
    tryAgain: 'Try Again',
    empty: 'Every device asks for your second step.',
    trusted: 'Trusted since',
    expires: 'Until',
    forget: 'Forget',
  },
  events: {
    title: 'Recent activity',
    loading: 'Loading your recent activity',
    failed: 'Your recent activity could not be loaded.',
    tryAgain: 'Try Again',
    empty: 'Nothing happened in the last ninety days.',
    more: 'Show More',
    kinds: {
      'signed-in': 'Signed in',
      'sign-in-failed': 'Failed sign-in',
      'password-changed': 'Password changed',
      'mfa-changed': '2-step verification changed',
      locked: 'Account locked',
      'session-ended': 'Signed out',
    },
  },
  /** The names of the sign-in methods, which follow the time or the event. */
  methods: {
    basic: 'with a password',
    google: 'with Google',
    microsoft: 'with Microsoft',
    link: 'with a link',
  },
  error: { id: 'activity-error', title: 'Devices and Activity', confirmLabel: 'Ok' },
  signedInElsewhere: 'You are also signed in elsewhere.',
  confirmOthers: {
    id: 'end-other-sessions',
    title: 'Sign Out Everywhere Else',
    message: 'You stay signed in on this device only.',
    confirmLabel: 'Sign Out Everywhere Else',
    cancelLabel: 'Cancel',
    tone: 'danger' as const,
  },
});
