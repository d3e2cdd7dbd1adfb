/** Below the message of a dialog, where the failure is not the user's. See docs/behaviour.md#errors. */
export const dialogMessages = {
  trouble: {
    unreachable: 'We could not reach the service. Check your connection and try again.',
    failing: 'The service had a problem. Try again in a moment.',
  },
} as const;
