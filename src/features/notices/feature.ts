import { createOptionalChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { knowDevice } from './knowDevice.saga';
import { noticesScenarios } from './notices.scenarios';

const fetch = () => import('./index');

/** See docs/behaviour.md#security-notice. */
export const notices = {
  name: 'notices',
  routes: {
    securityNotice: {
      pattern: '/security-notice/:hash',
      isLink: true,
      access: 'public',
      chunk: partOf(fetch, 'securityNoticeScreen'),
    },
  },
  late: createOptionalChunk(fetch),
  calls: { notices: () => import(/* webpackChunkName: "extensions" */ './notices.calls') },
  // This is in the first bundle, because a page on a known device does not wait before it leaves.
  afterSignIn: knowDevice,
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: noticesScenarios }),
} as const satisfies Feature;
