/** Texts of the choice of a language. */
export const languagesMessages = {
  label: /*i18n*/ { id: 'login/languages.label', message: 'Language' },
  error: {
    id: 'language-error',
    title: /*i18n*/ { id: 'login/languages.error.title', message: 'Language' },
    confirmLabel: /*i18n*/ { id: 'login/languages.error.confirmLabel', message: 'Ok' },
  },
};
