/** The messages of failures that any call can have: `error.message` in the contract. */
export const httpTexts = {
  requestRefused: /*i18n*/ {
    id: 'http.requestRefused',
    message: 'This request could not be understood. Please check your entries and try again.',
  },
  tooManyRequests: /*i18n*/ {
    id: 'http.tooManyRequests',
    message: 'Too many requests. Please try again later.',
  },
  serviceBusy: /*i18n*/ {
    id: 'http.serviceBusy',
    message: 'The service is busy. Please try again in a few seconds.',
  },
  restarting: /*i18n*/ { id: 'http.restarting', message: 'The service is restarting. Please try again.' },
  callerGone: /*i18n*/ { id: 'http.callerGone', message: 'The call was ended before its answer.' },
  noSuchCall: /*i18n*/ { id: 'http.noSuchCall', message: 'There is no such call.' },
  unexpected: /*i18n*/ { id: 'http.unexpected', message: 'Something went wrong on our side.' },
};
