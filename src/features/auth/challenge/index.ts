import { componentIn } from '@shared/chunk';
import type { ScreenModule } from '@shared/deps';
import { challenge } from './challenge.saga';
import { challengeChunk } from './challengeChunk';

/** `/two-auth` */
export const challengeScreen: ScreenModule = {
  Screen: componentIn(challengeChunk, ({ EnterCode }) => EnterCode),
  saga: challenge,
};
