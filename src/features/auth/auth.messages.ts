import { texts } from '@shared/texts';

/**
 * The texts of `/login` and of its errors, which are in the first bundle. The other screens have their own messages files.
 * See docs/behaviour.md#errors.
 */
export const authMessages = texts('login/auth', {
  signIn: {
    title: 'Welcome',
    usernameLead: 'Enter your username to continue.',
    username: 'Username',
    rememberMe: 'Remember Me',
    next: 'Next',
    submit: 'Sign In',
    /** These texts are shown in a frame, and while the browser loads the application. */
    signedIn: 'You are signed in',
    leaving: 'Taking you to your application.',
    proceed: 'Continue',
  },
  loginError: { id: 'login-error', title: 'Login Error', confirmLabel: 'Ok' },
  errors: {
    noMethods: 'No Login Methods available',
    noPersonas: 'create relation in db',
  },
});
