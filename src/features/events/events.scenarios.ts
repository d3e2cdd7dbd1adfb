import { sessionAbsent, sessionEndAnnounced, type EndReason } from '@features/session';
import type { FeatureScenarios, ScenariosOf, Variants } from '@shared/scenario';
import type { EndNoticeState } from './endNotice.slice';

const announced =
  (reason: EndReason): Variants[string] =>
  () => [sessionEndAnnounced({ reason }), sessionAbsent()];

/** Scenarios of a session that the service has ended. */
export const eventsScenarios: FeatureScenarios = {
  scenarios: (): ScenariosOf<'events', EndNoticeState> => ({
    'events/none': { 'at the login': () => [sessionAbsent()] },
    'events/announced': {
      'ended elsewhere': announced('ended-elsewhere'),
      'password changed': announced('password-changed'),
      locked: announced('locked'),
      reused: announced('reused'),
    },
  }),
};
