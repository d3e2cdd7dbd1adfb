/** Texts of `/login` in a frame that keeps no session. */
export const ownWindowMessages = {
  title: 'Continue in a window of its own',
  text: 'Your browser keeps this page apart from the site around it, so a sign-in cannot be kept here.',
  open: 'Open the Sign-In Page',
} as const;
