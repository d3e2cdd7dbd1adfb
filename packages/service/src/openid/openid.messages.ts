export const openIdTexts = {
  signOutTitle: /*i18n*/ { id: 'openid.signOutTitle', message: 'Do you want to sign out?' },
  signOut: /*i18n*/ { id: 'openid.signOut', message: 'Sign Out' },
  staySignedIn: /*i18n*/ { id: 'openid.staySignedIn', message: 'Stay Signed In' },
  requestOver: /*i18n*/ { id: 'openid.requestOver', message: 'This request is over.' },
  notConnected: /*i18n*/ { id: 'openid.notConnected', message: 'This application is not connected.' },
};
