export const signInTexts = {
  newDevice: {
    subject: /*i18n*/ { id: 'sign-in.newDevice.subject', message: 'New sign-in to your account' },
    sentence: /*i18n*/ { id: 'sign-in.newDevice.sentence', message: 'Someone signed in to your account' },
  },
};
