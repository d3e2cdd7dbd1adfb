import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { english, pageTexts } from '@shared/texts';

/** The languages of the page. */
interface LanguagesState {
  /** The language that is shown (BCP 47). */
  readonly shown: string;
  /** The language in the select. It differs from `shown` while translations load, and after those of a screen could not be loaded. */
  readonly chosen: string;
}

/** The language that was loaded before the store has got its state. */
const initialState = (): LanguagesState => {
  const { locale } = pageTexts.shown ?? english;
  return { shown: locale, chosen: locale };
};

const slice = createSlice({
  name: 'languages',
  initialState,
  reducers: {
    /** A language was chosen on this page. */
    languageChosen: (state, { payload }: PayloadAction<string>) => ({ ...state, chosen: payload }),
    /** Another page of this browser shows another language. */
    languageChosenElsewhere: (state, { payload }: PayloadAction<string>) => ({ ...state, chosen: payload }),
    /** A language is shown: the chosen one, or English if the translations of a screen could not be loaded. */
    languageShown: ({ chosen }, { payload }: PayloadAction<{ readonly language: string }>) => ({
      shown: payload.language,
      chosen,
    }),
    /** The translations of the chosen language could not be loaded. */
    languageMissed: ({ shown }) => ({ shown, chosen: shown }),
  },
});

export const languagesReducer = slice.reducer;
export const { languageChosen, languageChosenElsewhere, languageShown, languageMissed } = slice.actions;

/** A past state in DevTools may be from before the reducer was added. */
export interface StateWithLanguages {
  readonly languages?: LanguagesState;
}

/** The language that is shown. */
export const selectLanguage = (state: StateWithLanguages): string => state.languages?.shown ?? 'en';
/** The language that the choice shows. */
export const selectChosenLanguage = (state: StateWithLanguages): string => state.languages?.chosen ?? 'en';
