/** Every text and error of setting, resetting and changing a password (specification §2 Forms, §5, §8). */
export const passwordMessages = {
  section: {
    title: 'Password',
    /** Stands before the date of the last change, which is formatted 'MMMM Do, YYYY [at] h:mm a'. */
    lastChanged: 'Last changed',
    neverChanged: 'You have never changed your password',
    change: 'Change Password',
    loading: 'Loading the date of your last password change',
    failed: 'The date of your last password change could not be loaded.',
    tryAgain: 'Try Again',
  },
  forgot: {
    title: 'Forgot your password?',
    text: 'Enter your email and we will send you a link to reset your password.',
    email: 'Email',
    submit: 'Send Reset Link',
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
  },
  reset: {
    title: 'Reset your password',
    submit: 'Reset Password',
    noHash: 'This page needs the link from our email.',
    request: 'Request a reset link',
  },
  change: {
    title: 'Change your password',
    submit: 'Change Password',
  },
  fields: {
    password: 'New password',
    confirm: 'Confirm password',
    showPassword: 'Show Password',
    hidePassword: 'Hide Password',
    capsLock: 'Caps Lock is on.',
  },
  saved: 'Your password has been changed.',
  rules: {
    length: '8 to 50 characters',
    digit: 'at least one digit',
    lowercase: 'at least one lowercase letter',
    uppercase: 'at least one uppercase letter',
    noWhitespace: 'no spaces',
    noDigitRun: 'no run of five or more digits',
  },
  errors: {
    empty: 'Please enter a new password',
    /** Activate and reset (specification §5). */
    format: 'Please match the requested format',
    /** Manual change; also the fixed line of the reset page whenever any error is set (specification §5). */
    requirements: 'Please meet the password requirements',
    mismatch: 'Please make sure your passwords match',
    fallback: 'There was an error resetting your password.',
  },
} as const;
