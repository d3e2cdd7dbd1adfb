import { createChunk } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { sessionReducer } from './session.slice';

/** The session and its user. */
export const session = {
  name: 'session',
  reducer: sessionReducer,
  late: createChunk(() => import(/* webpackChunkName: "screens" */ './late')),
} as const satisfies Feature;
