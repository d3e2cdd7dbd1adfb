import { componentIn } from '@shared/chunk';
import type { Room } from '@shared/routing/room';
import { challenge } from './challenge.saga';
import { challengeChunk } from './challengeChunk';

/** `/two-auth` */
export const challengeRoom: Room = {
  Screen: componentIn(challengeChunk, ({ EnterCode }) => EnterCode),
  work: challenge,
};
