/** Texts of the second step of `/login`, which the first bundle does not need. See docs/behaviour.md#errors. */
export const methodStepMessages = {
  passwordTitle: 'Enter your password',
  providerTitle: 'Continue to your account',
  changeUsername: 'Use a different username',
  password: 'Password',
  showPassword: 'Show Password',
  capsLock: 'Caps Lock is on.',
  forgotPassword: 'Forgot your password?',
  or: 'or',
  provider: { google: 'Sign in with Google', microsoft: 'Sign in with Microsoft' },
} as const;

/** Texts of `/login` in a frame that keeps no session. */
export const ownWindowMessages = {
  title: 'Continue in a window of its own',
  text: 'Your browser keeps this page apart from the site around it, so a sign-in cannot be kept here.',
  open: 'Open the Sign-In Page',
} as const;
