import type { FeatureScenarios } from '@shared/scenario';
import { languagesMessages } from './languages.messages';
import { languagesReducer } from './languages.slice';

/** The choice of a language is on every page of the laboratory. */
export const languagesScenarios: FeatureScenarios = {
  reducer: languagesReducer,
  scenarios: ({ alerted }) => ({
    'languages/missed': { unreachable: () => [alerted(languagesMessages.error, '', 'unreachable')] },
  }),
};
