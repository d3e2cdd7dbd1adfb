import { sessionMessages } from '@features/session';

/**
 * The texts of `/login` and of its errors, which are in the first bundle. The other screens' are in catalogues of their own.
 * See docs/behaviour.md#errors.
 */
export const authMessages = {
  signIn: {
    title: 'Welcome',
    usernameLead: 'Enter your username to continue.',
    username: 'Username',
    rememberMe: 'Remember Me',
    next: 'Next',
    submit: 'Sign In',
    /** In a parent's frame, and while the browser loads the application. */
    signedIn: 'You are signed in',
    leaving: 'Taking you to your application.',
    proceed: 'Continue',
    logout: sessionMessages.logout,
  },
  loginError: { id: 'login-error', title: 'Login Error', confirmLabel: 'Ok' },
  identityRefused: { id: 'identity-refused', title: 'Verification Error', confirmLabel: 'Ok' },
  errors: {
    noMethods: 'No Login Methods available',
    basicDefault:
      'We were unable to match the User ID and password you entered. Please check your entries and try again.',
    providerDefault: 'Your account has no access',
    challengeBroken: 'Authentication error. Please try again.',
    noPersonas: 'create relation in db',
    verifyDefault: 'We were unable to verify your identity. Please try again.',
    /** See docs/behaviour.md#blocked-cookies. */
    cookieBlocked: (domain: string): string =>
      `A cookie in your browser prevents this sign-in. Delete the cookies of ${domain} in your browser, then sign in again.`,
    fallback: sessionMessages.fallback,
  },
} as const;
