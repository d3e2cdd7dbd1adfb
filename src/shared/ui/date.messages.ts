/** The formats of dates, for moment. */
export const dateMessages = {
  time: /*i18n*/ { id: 'date.time', message: 'MMMM Do, YYYY [at] h:mm a' },
  clock: /*i18n*/ { id: 'date.clock', message: 'h:mm a' },
  day: /*i18n*/ { id: 'date.day', message: 'MMMM D, YYYY' },
};
