import { texts } from '@shared/texts';

/** Every text and error of setting, resetting and changing a password. */
export const passwordMessages = texts('password', {
  section: {
    title: 'Password',
    /** The date follows this text. */
    lastChanged: 'Last changed',
    neverChanged: 'You have never changed your password',
    change: 'Change Password',
    loading: 'Loading the date of your last password change',
    failed: 'The date of your last password change could not be loaded.',
    tryAgain: 'Try Again',
  },
  forgot: {
    /**
     * Both title and button say 'Request', so that password managers do not take the form for a sign-in and fill in a
     * username.
     */
    title: 'Request a reset link',
    text: 'Enter your email and we will send you a link to reset your password.',
    email: 'Email',
    submit: 'Request Reset Link',
    backToLogin: 'Back to Login',
    backToSettings: 'Account Settings',
    sent: {
      title: 'Reset Link Sent',
      text: 'If an account matches this email, a link to reset its password is on its way.',
      resend: 'Resend',
    },
  },
  activate: {
    title: 'Activate your account',
    firstName: 'First name',
    lastName: 'Last name',
    submit: 'Activate',
    saved: 'Your account is active.',
  },
  reset: {
    /** The title is not 'Reset Password', because password managers would take the form for a request of a link. */
    title: 'Set a new password',
    submit: 'Set New Password',
    backToLogin: 'Back to Login',
    noHash: 'This page needs the link from our email.',
    request: 'Request a reset link',
  },
  change: {
    title: 'Change your password',
    back: 'Account Settings',
    submit: 'Change Password',
  },
  fields: {
    password: 'New password',
    confirm: 'Confirm password',
    showPassword: 'Show Password',
    hidePassword: 'Hide Password',
    capsLock: 'Caps Lock is on.',
    /** The two toggles of one screen have different names for screen readers. */
    showConfirm: 'Show Confirmation',
    hideConfirm: 'Hide Confirmation',
  },
  saved: 'Your password has been changed.',
  /** Shown below `saved` and `activate.saved` until `/login` follows. */
  toSignIn: 'Taking you to the sign-in.',
  rules: {
    length: '8 to 50 characters',
    digit: 'at least one digit',
    lowercase: 'at least one lowercase letter',
    uppercase: 'at least one uppercase letter',
    noWhitespace: 'no spaces',
    noDigitRun: 'no run of five or more digits',
  },
  rulesTitle: 'Your password needs',
  status: {
    allMet: 'All password requirements are met.',
    /** Joins the requirements. */
    list: (first: string, next: string): string => `${first}, ${next}`,
    notMet: (count: number, rules: string): string => `${count} not met: ${rules}.`,
  },
  errors: {
    empty: 'Please enter a new password',
    /** The error of activate and reset if the rules are not met. */
    format: 'Please match the requested format',
    /** The error of change if the rules are not met, and a fixed line of the reset page with any error. */
    requirements: 'Please meet the password requirements',
    mismatch: 'Please make sure your passwords match',
    /** The error of reset and activate without a response. */
    network: 'Network Error',
    fallback: 'There was an error resetting your password.',
  },
});
