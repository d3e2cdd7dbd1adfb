import { texts } from '../platform/texts/texts.ts';

export const openIdTexts = texts('openid', {
  signOutTitle: 'Do you want to sign out of all applications?',
  signOut: 'Sign Out',
  staySignedIn: 'Stay Signed In',
  notConnected: 'This application is not connected.',
});
