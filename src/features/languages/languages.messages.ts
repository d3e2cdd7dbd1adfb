import { texts } from '@shared/texts';

/** Texts of the choice of a language. */
export const languagesMessages = texts('login/languages', {
  label: 'Language',
  error: { id: 'language-error', title: 'Language', confirmLabel: 'Ok' },
});
