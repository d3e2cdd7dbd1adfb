/** Texts of the second step of `/login`, which the first bundle does not need. See docs/behaviour.md#errors. */
export const methodStepMessages = {
  passwordTitle: /*i18n*/ { id: 'auth/sign-in.passwordTitle', message: 'Enter your password' },
  providerTitle: /*i18n*/ { id: 'auth/sign-in.providerTitle', message: 'Continue to your account' },
  changeUsername: /*i18n*/ { id: 'auth/sign-in.changeUsername', message: 'Use a different username' },
  password: /*i18n*/ { id: 'auth/sign-in.password', message: 'Password' },
  showPassword: /*i18n*/ { id: 'auth/sign-in.showPassword', message: 'Show Password' },
  capsLock: /*i18n*/ { id: 'auth/sign-in.capsLock', message: 'Caps Lock is on.' },
  forgotPassword: /*i18n*/ { id: 'auth/sign-in.forgotPassword', message: 'Forgot your password?' },
  or: /*i18n*/ { id: 'auth/sign-in.or', message: 'or' },
  provider: {
    google: /*i18n*/ { id: 'auth/sign-in.provider.google', message: 'Sign in with Google' },
    microsoft: /*i18n*/ { id: 'auth/sign-in.provider.microsoft', message: 'Sign in with Microsoft' },
  },
};
