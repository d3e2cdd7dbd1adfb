import { texts } from '@shared/texts';

/** Texts of the second step of `/login`, which the first bundle does not need. See docs/behaviour.md#errors. */
export const methodStepMessages = texts('auth/sign-in', {
  passwordTitle: 'Enter your password',
  providerTitle: 'Continue to your account',
  changeUsername: 'Use a different username',
  password: 'Password',
  showPassword: 'Show Password',
  capsLock: 'Caps Lock is on.',
  forgotPassword: 'Forgot your password?',
  or: 'or',
  provider: { google: 'Sign in with Google', microsoft: 'Sign in with Microsoft' },
});
