import { texts } from '@shared/texts';

/** Texts of 'Copy details', which is loaded with the first error. */
export const detailsMessages = texts('details', {
  copy: 'Copy details',
  copied: 'Details copied',
  refused: 'Your browser did not allow copying. The details are selected: press Ctrl+C (⌘C on a Mac).',
  text: 'Details for support',
});
