import type { Room } from '@shared/routing/room';
import { lazy } from 'react';
import { challenge } from './challenge.saga';
import { loadChallenge } from './challengeChunk';

/** `/two-auth` */
export const challengeRoom: Room = {
  Screen: lazy(async () => ({ default: (await loadChallenge()).EnterCode })),
  work: challenge,
};
