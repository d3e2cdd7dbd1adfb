import { sessionMessages } from '@features/session';

/**
 * Every text and error of signing in (specification §2, §4, §5, §8), but for those about a provider's window
 * (`provider.messages.ts`). The specification's strings stand to the letter; where it names no words, ours follow its
 * manner.
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
    /** The state after signing in inside a parent's frame (decisions §6). */
    signedIn: 'You are signed in',
    /** While the browser leaves for the application; should it not get there, this stays. */
    leaving: 'Taking you to your application.',
    proceed: 'Continue',
    logout: sessionMessages.logout,
  },
  loginError: { title: 'Login Error', ok: 'Ok' },
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
      title: 'Incorrect Security or Verification Code',
      message: 'Incorrect code. Please enter verification code again.',
      ok: 'Ok',
    },
    /** A server message that holds these words leads back to the sign-in screen with that message (specification §4). */
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
    refused: { title: 'Verification Error', ok: 'Ok' },
  },
  linkExpired: {
    title: 'Your Link Has Expired',
    text: 'Sorry, your link is either invalid or expired.',
    /** Stands before the support contact. */
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
    /** A sibling host has set a cookie under the session's name that this page cannot remove. */
    cookieBlocked: (domain: string): string =>
      `A cookie in your browser prevents this sign-in. Delete the cookies of ${domain} in your browser, then sign in again.`,
    fallback: sessionMessages.fallback,
  },
} as const;
