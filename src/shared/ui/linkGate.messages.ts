/** The texts before a one-time link is used. */
export const linkGateMessages = {
  title: /*i18n*/ { id: 'link-gate.title', message: 'Opening your link' },
  opening: /*i18n*/ { id: 'link-gate.opening', message: 'Opening your link' },
  gate: /*i18n*/ { id: 'link-gate.gate', message: 'This link works only once.' },
  open: /*i18n*/ { id: 'link-gate.open', message: 'Continue' },
};
