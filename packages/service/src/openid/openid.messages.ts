import { texts } from '../platform/texts/texts.ts';

export const openIdTexts = texts('openid', {
  signOutTitle: 'Do you want to sign out?',
  signOut: 'Sign Out',
  staySignedIn: 'Stay Signed In',
  requestOver: 'This request is over.',
  notConnected: 'This application is not connected.',
});
