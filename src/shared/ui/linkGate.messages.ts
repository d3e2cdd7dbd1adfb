/** The texts before a one-time link is used. */
export const linkGateMessages = {
  title: 'Opening your link',
  opening: 'Opening your link',
  gate: 'This link works only once.',
  open: 'Continue',
} as const;
