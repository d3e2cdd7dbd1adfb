/** The second line of a dialog about a failure without the user's fault. See docs/behaviour.md#errors. */
export const dialogMessages = {
  trouble: {
    unreachable: /*i18n*/ {
      id: 'login/dialogs.trouble.unreachable',
      message: 'We could not reach the service. Check your connection and try again.',
    },
    failing: /*i18n*/ {
      id: 'login/dialogs.trouble.failing',
      message: 'The service had a problem. Try again in a moment.',
    },
  },
};
