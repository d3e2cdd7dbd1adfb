import { partsOfFeatures } from '../../support/partsOfFeatures';
import { coreJourneys, type Journey } from './journeys';

type Journeys = Readonly<Record<string, Journey>>;

/** The journeys through the core and through each extension. */
export const everyJourney: Journeys = Object.assign(
  {},
  coreJourneys,
  ...(partsOfFeatures('journeys.ts') as { journeys: Journeys }[]).map(({ journeys }) => journeys),
) as Journeys;
