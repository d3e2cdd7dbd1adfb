const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** Not by moment, which is larger than all of the extension. @param at - ms since the epoch */
export const dayInWords = (at: number): string => day.format(at);
