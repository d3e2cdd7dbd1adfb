import { createOptionalChunk } from '@shared/chunk';
import type { EarlyPart, Feature } from '@shared/deps';
import { languagesScenarios } from './languages.scenarios';

/** See docs/behaviour.md#languages. */
export const languages = {
  name: 'languages',
  isConfigured: (config) => (config.languages ?? []).length > 0,
  early: createOptionalChunk<EarlyPart>(async () => (await import('./early')).early),
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: languagesScenarios }),
} as const satisfies Feature;
