import type { Room } from '@shared/routing/room';
import { lazy } from 'react';
import { challenge } from './challenge.saga';

/** `/two-auth` */
export const challengeRoom: Room = {
  Screen: lazy(async () => ({ default: (await import('./EnterCode.container')).EnterCode })),
  work: challenge,
};
