import type { EarlyPart } from '@shared/deps';
import { LanguageChoice } from './LanguageChoice.container';
import { followChoices, prepare } from './languages.saga';
import { languagesReducer } from './languages.slice';
import { Translated } from './Translated.container';

/** The early part of the feature. It loads before the first screen if the configuration lists languages. */
export const early = {
  reducer: languagesReducer,
  prepare,
  saga: followChoices,
  Foot: LanguageChoice,
  Translated,
} as const satisfies EarlyPart;
