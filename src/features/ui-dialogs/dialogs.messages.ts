import { texts } from '@shared/texts';

/** The second line of a dialog about a failure without the user's fault. See docs/behaviour.md#errors. */
export const dialogMessages = texts('login/dialogs', {
  trouble: {
    unreachable: 'We could not reach the service. Check your connection and try again.',
    failing: 'The service had a problem. Try again in a moment.',
  },
});
