import { texts } from './texts/texts.ts';

/** The messages of failures that any call can have: `error.message` in the contract. */
export const httpTexts = texts('http', {
  requestRefused: 'This request could not be understood. Please check your entries and try again.',
  tooManyRequests: 'Too many requests. Please try again later.',
  serviceBusy: 'The service is busy. Please try again in a few seconds.',
  restarting: 'The service is restarting. Please try again.',
  callerGone: 'The call was ended before its answer.',
  noSuchCall: 'There is no such call.',
  unexpected: 'Something went wrong on our side.',
});
