/** Texts for the events of connected applications. */
export const eventMessages = {
  activity: {
    'application-disconnected': /*i18n*/ {
      id: 'openid/events.activity.application-disconnected',
      message: 'Application disconnected',
    },
  },
};
