import { sessionMessages } from '@features/session';

/**
 * Every text of signing in, except for those about a provider's window (`provider.messages.ts`), which the first bundle
 * does not need. See docs/behaviour.md#errors.
 */
export const authMessages = {
  signIn: {
    title: 'Welcome',
    usernameLead: 'Enter your username to continue.',
    username: 'Username',
    rememberMe: 'Remember Me',
    next: 'Next',
    passwordTitle: 'Enter your password',
    providerTitle: 'Continue to your account',
    changeUsername: 'Use a different username',
    password: 'Password',
    showPassword: 'Show Password',
    capsLock: 'Caps Lock is on.',
    submit: 'Sign In',
    forgotPassword: 'Forgot your password?',
    or: 'or',
    provider: { google: 'Sign in with Google', microsoft: 'Sign in with Microsoft' },
    /** In a parent's frame, and while the browser loads the application. */
    signedIn: 'You are signed in',
    leaving: 'Taking you to your application.',
    proceed: 'Continue',
    logout: sessionMessages.logout,
  },
  loginError: { id: 'login-error', title: 'Login Error', confirmLabel: 'Ok' },
  challenge: {
    title: 'Enter MFA Code',
    text: 'Please enter an MFA code to complete sign-in.',
    code: 'MFA code',
    digit: (position: number, length: number): string => `digit ${position} of ${length}`,
    trustDevice: 'Trust this device',
    submit: 'Submit',
    backToLogin: 'Back to Login',
    noCode: "Didn't get the code?",
    resend: 'Resend',
    resent: 'A new six digit code has been sent to your phone',
    wrongCode: {
      id: 'wrong-code',
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
      confirmLabel: 'Ok',
    },
    /** A server message that contains this leads back to `/login`, which shows it. See docs/behaviour.md#challenge. */
    lockoutMark: 'Too many failed login attempts',
  },
  verifyIdentity: {
    greeting: (firstName: string): string => `Hi ${firstName}`,
    title: 'Verify your identity',
    text: "To continue, first verify it's you",
    email: 'Email',
    password: 'Password',
    showPassword: 'Show Password',
    hidePassword: 'Hide Password',
    provider: {
      google: 'You are authenticated via Google. Click Next to reauthenticate and continue.',
      microsoft: 'You are authenticated via Microsoft. Click Next to reauthenticate and continue.',
    },
    next: 'Next',
    back: 'Settings',
    expiring: 'Your session will expire in 30 seconds. Please complete verification soon.',
    verifyAgain: 'Verify again',
    refused: { id: 'identity-refused', title: 'Verification Error', confirmLabel: 'Ok' },
  },
  linkExpired: {
    title: 'Your Link Has Expired',
    text: 'Sorry, your link is either invalid or expired.',
    /** Followed by the support contact. */
    support: 'For help, contact',
    marketingSite: 'Visit our website',
  },
  ownWindow: {
    title: 'Continue in a window of its own',
    text: 'Your browser keeps this page apart from the site around it, so a sign-in cannot be kept here.',
    open: 'Open the Sign-In Page',
  },
  oneTimeLink: {
    title: 'Opening your link',
    opening: 'Opening your link',
    gate: 'This link works only once.',
    open: 'Continue',
  },
  apiInvite: {
    title: 'Your API key',
    text: 'Key and secret are shown only once. Click a box to copy its value.',
    apiKey: 'API key',
    apiSecret: 'API secret',
    copied: { apiKey: 'API key copied', apiSecret: 'API secret copied' },
    copyRefused: 'The value is selected. Press Ctrl+C (⌘C on a Mac) to copy it.',
  },
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
