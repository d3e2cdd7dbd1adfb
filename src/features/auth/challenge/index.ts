import type { Room } from '@shared/routing/room';
import { lazy } from 'react';
import { enterChallenge } from './enterChallenge.saga';

/** `/two-auth`. What ends the challenge is part of the first bundle: it must not depend on a chunk that does not come. */
export const challengeRoom: Room = {
  Screen: lazy(async () => ({ default: (await import('./EnterCode.container')).EnterCode })),
  work: enterChallenge,
};
