import { texts } from '@shared/texts';

/** Texts of the link screens. */
export const linkMessages = texts('auth/links', {
  linkExpired: {
    title: 'Your Link Has Expired',
    text: 'Sorry, your link is either invalid or expired.',
    /** The support contact follows this text. */
    support: 'For help, contact',
    marketingSite: 'Visit our website',
  },
  apiInvite: {
    title: 'Your API key',
    text: 'Key and secret are shown only once. Click a box to copy its value.',
    apiKey: 'API key',
    apiSecret: 'API secret',
    copied: { apiKey: 'API key copied', apiSecret: 'API secret copied' },
    copyRefused: 'The value is selected. Press Ctrl+C (⌘C on a Mac) to copy it.',
  },
});
