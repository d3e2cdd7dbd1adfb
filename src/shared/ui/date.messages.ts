import { texts } from '@shared/texts';

/** The formats of dates, for moment. */
export const dateMessages = texts('date', {
  time: 'MMMM Do, YYYY [at] h:mm a',
  clock: 'h:mm a',
  day: 'MMMM D, YYYY',
});
