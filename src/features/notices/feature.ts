import { createChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { knowDevice } from './knowDevice.saga';
import { noticesScenarios } from './notices.scenarios';

/** See docs/behaviour.md#security-notice. */
export const notices = {
  name: 'notices',
  routes: {
    securityNotice: {
      pattern: '/security-notice/:hash',
      isLink: true,
      access: 'public',
      chunk: partOf(() => import('./securityNotice.saga'), 'securityNoticeScreen'),
    },
  },
  // Every screen behind `/login` loads it: without the view and its texts.
  late: createChunk(async () => {
    const { securityNoticeReducer: reducer } = await import(
      /* webpackChunkName: "screens" */ './securityNotice.slice'
    );
    return { reducer };
  }),
  calls: { notices: () => import(/* webpackChunkName: "extensions" */ './notices.calls') },
  // This is in the first bundle, because a page on a known device does not wait before it leaves.
  afterSignIn: knowDevice,
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: noticesScenarios }),
} as const satisfies Feature;
