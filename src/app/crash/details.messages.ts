/** Texts of 'Copy details', which is loaded with the first error. */
export const detailsMessages = {
  copy: /*i18n*/ { id: 'details.copy', message: 'Copy details' },
  copied: /*i18n*/ { id: 'details.copied', message: 'Details copied' },
  refused: /*i18n*/ {
    id: 'details.refused',
    message: 'Your browser did not allow copying. The details are selected: press Ctrl+C (⌘C on a Mac).',
  },
  text: /*i18n*/ { id: 'details.text', message: 'Details for support' },
};
