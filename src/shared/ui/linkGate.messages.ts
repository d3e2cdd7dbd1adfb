import { texts } from '@shared/texts';

/** The texts before a one-time link is used. */
export const linkGateMessages = texts('link-gate', {
  title: 'Opening your link',
  opening: 'Opening your link',
  gate: 'This link works only once.',
  open: 'Continue',
});
