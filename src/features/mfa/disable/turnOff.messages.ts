/** The words of the Turn Off confirmation: in the first bundle, which does without the rest of the catalogue. */
export const turnOffMessages = {
  title: 'Turn Off 2-Step',
  message: 'Your account will no longer ask for a second step at sign-in.',
  cancel: 'Cancel',
  confirm: 'Turn Off 2-Step',
} as const;
