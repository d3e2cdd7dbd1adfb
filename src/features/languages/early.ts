import type { EarlyPart } from '@shared/deps';
import { LanguageChoice } from './LanguageChoice.container';
import { renewTexts } from './heldTexts';
import { followChoices, prepare } from './languages.saga';
import { languagesReducer, selectLanguage } from './languages.slice';

/** The early part of the feature. It loads before the first screen if the configuration lists languages. */
export const early = {
  reducer: languagesReducer,
  rewrite: renewTexts,
  prepare,
  saga: followChoices,
  Foot: LanguageChoice,
  drawnBy: selectLanguage,
} as const satisfies EarlyPart;
