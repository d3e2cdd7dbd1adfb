import { useLayoutEffect, useState } from 'react';
import type { SagaGenerator } from 'typed-redux-saga';
import { useFeatures } from './contexts';
import type { Deps, EventTexts } from './deps';
import { call } from './sagas/call.saga';

/** Loads the texts of all features for events, before the first event is shown. */
export function* loadEventTexts({ features }: Pick<Deps, 'features'>): SagaGenerator<void> {
  for (const { eventTexts } of features) if (eventTexts) yield* call(eventTexts.load);
}

/**
 * @param own - the texts for the events that every account has
 * @returns the text for an event, by its kind; `undefined` for a kind that no feature in use has
 */
export function useEventText(
  place: keyof EventTexts,
  own: Readonly<Record<string, string>>,
): (kind: string) => string | undefined {
  const chunks = useFeatures().flatMap(({ eventTexts = [] }) => eventTexts);
  const [, redraw] = useState({});
  // No saga has loaded them where DevTools or the laboratory shows a state.
  const isLoaded = chunks.every((chunk) => chunk.loaded());
  useLayoutEffect(() => {
    if (!isLoaded) void Promise.all(chunks.map((chunk) => chunk.load())).then(() => redraw({}));
  });
  const texts = [own, ...chunks.map((chunk) => chunk.loaded()?.[place] ?? {})];
  return (kind) => texts.find((some) => Object.hasOwn(some, kind))?.[kind];
}
