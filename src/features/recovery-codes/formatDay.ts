const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** Formats a date without moment, which is larger than the whole extension. @param at - ms since the epoch */
export const formatDay = (at: number): string => day.format(at);
