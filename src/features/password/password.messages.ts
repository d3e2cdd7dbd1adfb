/** Every text and error of setting, resetting and changing a password. */
export const passwordMessages = {
  section: {
    title: /*i18n*/ { id: 'password.section.title', message: 'Password' },
    lastChanged: /*i18n*/ {
      id: 'password.section.lastChanged',
      message: 'Last changed',
      comment: 'The date follows this text.',
    },
    neverChanged: /*i18n*/ {
      id: 'password.section.neverChanged',
      message: 'You have never changed your password',
    },
    change: /*i18n*/ { id: 'password.section.change', message: 'Change Password' },
    loading: /*i18n*/ {
      id: 'password.section.loading',
      message: 'Loading the date of your last password change',
    },
    failed: /*i18n*/ {
      id: 'password.section.failed',
      message: 'The date of your last password change could not be loaded.',
    },
    tryAgain: /*i18n*/ { id: 'password.section.tryAgain', message: 'Try Again' },
  },
  forgot: {
    title: /*i18n*/ {
      id: 'password.forgot.title',
      message: 'Request a reset link',
      comment:
        "Both title and button say 'Request', so that password managers do not take the form for a sign-in and fill in a username.",
    },
    text: /*i18n*/ {
      id: 'password.forgot.text',
      message: 'Enter your email and we will send you a link to reset your password.',
    },
    email: /*i18n*/ { id: 'password.forgot.email', message: 'Email' },
    submit: /*i18n*/ { id: 'password.forgot.submit', message: 'Request Reset Link' },
    backToLogin: /*i18n*/ { id: 'password.forgot.backToLogin', message: 'Back to Login' },
    backToSettings: /*i18n*/ { id: 'password.forgot.backToSettings', message: 'Account Settings' },
    sent: {
      title: /*i18n*/ { id: 'password.forgot.sent.title', message: 'Reset Link Sent' },
      text: /*i18n*/ {
        id: 'password.forgot.sent.text',
        message: 'If an account matches this email, a link to reset its password is on its way.',
      },
      resend: /*i18n*/ { id: 'password.forgot.sent.resend', message: 'Resend' },
    },
  },
  activate: {
    title: /*i18n*/ { id: 'password.activate.title', message: 'Activate your account' },
    firstName: /*i18n*/ { id: 'password.activate.firstName', message: 'First name' },
    lastName: /*i18n*/ { id: 'password.activate.lastName', message: 'Last name' },
    submit: /*i18n*/ { id: 'password.activate.submit', message: 'Activate' },
    saved: /*i18n*/ { id: 'password.activate.saved', message: 'Your account is active.' },
  },
  reset: {
    title: /*i18n*/ {
      id: 'password.reset.title',
      message: 'Set a new password',
      comment:
        "The title is not 'Reset Password', because password managers would take the form for a request of a link.",
    },
    submit: /*i18n*/ { id: 'password.reset.submit', message: 'Set New Password' },
    backToLogin: /*i18n*/ { id: 'password.reset.backToLogin', message: 'Back to Login' },
    noHash: /*i18n*/ { id: 'password.reset.noHash', message: 'This page needs the link from our email.' },
    request: /*i18n*/ { id: 'password.reset.request', message: 'Request a reset link' },
  },
  change: {
    title: /*i18n*/ { id: 'password.change.title', message: 'Change your password' },
    back: /*i18n*/ { id: 'password.change.back', message: 'Account Settings' },
    submit: /*i18n*/ { id: 'password.change.submit', message: 'Change Password' },
  },
  fields: {
    password: /*i18n*/ { id: 'password.fields.password', message: 'New password' },
    confirm: /*i18n*/ { id: 'password.fields.confirm', message: 'Confirm password' },
    showPassword: /*i18n*/ { id: 'password.fields.showPassword', message: 'Show Password' },
    hidePassword: /*i18n*/ { id: 'password.fields.hidePassword', message: 'Hide Password' },
    capsLock: /*i18n*/ { id: 'password.fields.capsLock', message: 'Caps Lock is on.' },
    showConfirm: /*i18n*/ {
      id: 'password.fields.showConfirm',
      message: 'Show Confirmation',
      comment: 'The two toggles of one screen have different names for screen readers.',
    },
    hideConfirm: /*i18n*/ { id: 'password.fields.hideConfirm', message: 'Hide Confirmation' },
  },
  saved: /*i18n*/ { id: 'password.saved', message: 'Your password has been changed.' },
  toSignIn: /*i18n*/ {
    id: 'password.toSignIn',
    message: 'Taking you to the sign-in.',
    comment: 'Shown below the message that the password is saved, until the sign-in page follows.',
  },
  rules: {
    length: /*i18n*/ { id: 'password.rules.length', message: '8 to 50 characters' },
    digit: /*i18n*/ { id: 'password.rules.digit', message: 'at least one digit' },
    lowercase: /*i18n*/ { id: 'password.rules.lowercase', message: 'at least one lowercase letter' },
    uppercase: /*i18n*/ { id: 'password.rules.uppercase', message: 'at least one uppercase letter' },
    noWhitespace: /*i18n*/ { id: 'password.rules.noWhitespace', message: 'no spaces' },
    noDigitRun: /*i18n*/ { id: 'password.rules.noDigitRun', message: 'no run of five or more digits' },
  },
  rulesTitle: /*i18n*/ { id: 'password.rulesTitle', message: 'Your password needs' },
  status: {
    allMet: /*i18n*/ { id: 'password.status.allMet', message: 'All password requirements are met.' },
    list: (first: string, next: string) => /*i18n*/ ({
      id: 'password.status.list',
      message: '{first}, {next}',
      comment: 'Joins the requirements.',
      values: { first, next },
    }),
    notMet: (count: number, rules: string) => /*i18n*/ ({
      id: 'password.status.notMet',
      message: '{count} not met: {rules}.',
      values: { count, rules },
    }),
  },
  errors: {
    empty: /*i18n*/ { id: 'password.errors.empty', message: 'Please enter a new password' },
    format: /*i18n*/ {
      id: 'password.errors.format',
      message: 'Please match the requested format',
      comment: 'The error of activate and reset if the rules are not met.',
    },
    requirements: /*i18n*/ {
      id: 'password.errors.requirements',
      message: 'Please meet the password requirements',
      comment:
        'The error of change if the rules are not met, and a fixed line of the reset page with any error.',
    },
    mismatch: /*i18n*/ { id: 'password.errors.mismatch', message: 'Please make sure your passwords match' },
    network: /*i18n*/ {
      id: 'password.errors.network',
      message: 'Network Error',
      comment: 'The error of reset and activate without a response.',
    },
    fallback: /*i18n*/ {
      id: 'password.errors.fallback',
      message: 'There was an error resetting your password.',
    },
  },
};
