import { componentIn, createOptionalChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { accountActivity } from './activityPath';
import { sessionsScenarios } from './sessions.scenarios';

const fetch = () => import(/* webpackChunkName: "sessions" */ './index');
const chunk = createOptionalChunk(fetch);

/** See docs/behaviour.md#devices-and-activity. */
export const sessions = {
  name: 'sessions',
  routes: {
    accountActivity: {
      pattern: accountActivity,
      access: 'session',
      showsAccount: true,
      chunk: partOf(fetch, 'activityScreen'),
    },
  },
  late: chunk,
  calls: { sessions: () => import(/* webpackChunkName: "extensions" */ './sessions.calls') },
  literals: ['list'],
  personal: ['system', 'busy'],
  Section: componentIn(chunk, (module) => module.ActivitySection),
  FactorNotice: componentIn(chunk, (module) => module.OtherSessionsOffer),
  afterFactorChange: async (route) => (await chunk.load()).factorsChanged?.({ route }),
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: sessionsScenarios }),
} as const satisfies Feature;
