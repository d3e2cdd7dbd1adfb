/**
 * The texts of `/login` and of its errors, which are in the first bundle. The other screens have their own messages files.
 * See docs/behaviour.md#errors.
 */
export const authMessages = {
  signIn: {
    title: /*i18n*/ { id: 'login/auth.signIn.title', message: 'Welcome' },
    usernameLead: /*i18n*/ {
      id: 'login/auth.signIn.usernameLead',
      message: 'Enter your username to continue.',
    },
    username: /*i18n*/ { id: 'login/auth.signIn.username', message: 'Username' },
    rememberMe: /*i18n*/ { id: 'login/auth.signIn.rememberMe', message: 'Remember Me' },
    next: /*i18n*/ { id: 'login/auth.signIn.next', message: 'Next' },
    submit: /*i18n*/ { id: 'login/auth.signIn.submit', message: 'Sign In' },
    signedIn: /*i18n*/ {
      id: 'login/auth.signIn.signedIn',
      message: 'You are signed in',
      comment: 'Shown in a frame, and while the browser loads the application.',
    },
    leaving: /*i18n*/ { id: 'login/auth.signIn.leaving', message: 'Taking you to your application.' },
    proceed: /*i18n*/ { id: 'login/auth.signIn.proceed', message: 'Continue' },
  },
  loginError: {
    id: 'login-error',
    title: /*i18n*/ { id: 'login/auth.loginError.title', message: 'Login Error' },
    confirmLabel: /*i18n*/ { id: 'login/auth.loginError.confirmLabel', message: 'Ok' },
  },
  errors: {
    noMethods: /*i18n*/ { id: 'login/auth.errors.noMethods', message: 'No Login Methods available' },
    noPersonas: /*i18n*/ { id: 'login/auth.errors.noPersonas', message: 'create relation in db' },
  },
};
