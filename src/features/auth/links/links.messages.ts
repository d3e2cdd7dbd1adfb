/** Texts of the link screens. */
export const linkMessages = {
  linkExpired: {
    title: /*i18n*/ { id: 'auth/links.linkExpired.title', message: 'Your Link Has Expired' },
    text: /*i18n*/ {
      id: 'auth/links.linkExpired.text',
      message: 'Sorry, your link is either invalid or expired.',
    },
    support: /*i18n*/ {
      id: 'auth/links.linkExpired.support',
      message: 'For help, contact',
      comment: 'The support contact follows this text.',
    },
    marketingSite: /*i18n*/ { id: 'auth/links.linkExpired.marketingSite', message: 'Visit our website' },
  },
  apiInvite: {
    title: /*i18n*/ { id: 'auth/links.apiInvite.title', message: 'Your API key' },
    text: /*i18n*/ {
      id: 'auth/links.apiInvite.text',
      message: 'Key and secret are shown only once. Click a box to copy its value.',
    },
    apiKey: /*i18n*/ { id: 'auth/links.apiInvite.apiKey', message: 'API key' },
    apiSecret: /*i18n*/ { id: 'auth/links.apiInvite.apiSecret', message: 'API secret' },
    copied: {
      apiKey: /*i18n*/ { id: 'auth/links.apiInvite.copied.apiKey', message: 'API key copied' },
      apiSecret: /*i18n*/ { id: 'auth/links.apiInvite.copied.apiSecret', message: 'API secret copied' },
    },
    copyRefused: /*i18n*/ {
      id: 'auth/links.apiInvite.copyRefused',
      message: 'The value is selected. Press Ctrl+C (⌘C on a Mac) to copy it.',
    },
  },
};
