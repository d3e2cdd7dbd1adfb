/** Texts of the pages for developers. They are in no production bundle, which a journey checks by them. */
export const labMessages = {
  title: 'Laboratory of every screen',
  lead: 'Every state of every screen: the real components over a state that the real reducers made. Nothing is called and nothing is written.',
  missing: (name: string): string => `There is no scenario ‘${name}’. These are all:`,
  find: 'Find scenarios',
  count: (count: number): string => `${String(count)} scenarios`,
  open: 'Open on its own',
  controls: {
    look: { label: 'Look of the page', default: 'Default', epay: 'e-Pay' },
    scheme: { label: 'Colour scheme', light: 'Light', dark: 'Dark' },
    width: { label: 'Width of the window', 320: '320 px', 1280: '1280 px' },
    dir: { label: 'Direction of writing', ltr: 'Left to right', rtl: 'Right to left' },
    words: { label: 'Given words', plain: 'Usual', long: 'Long' },
    embedding: { label: 'Who embeds it', none: 'Not embedded', trusted: 'A trusted parent' },
  },
} as const;
