import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { useLayoutEffect, useState } from 'react';
import { useFeatures } from './contexts';
import type { EventDetail, EventTexts, Feature } from './deps';

/** Loads the texts of the features for events, before the first event is shown. */
export const loadEventTexts = (features: readonly Feature[]): Promise<unknown> =>
  Promise.all(features.flatMap(({ eventTexts }) => eventTexts?.load() ?? []));

/**
 * @param own - the texts for the events that every account has
 * @returns the text for an event, by its kind; `undefined` for a kind that no feature in use has
 */
export function useEventText(
  place: keyof EventTexts,
  own: Readonly<Record<string, MessageDescriptor>>,
): (kind: string) => string | undefined {
  const { _ } = useLingui();
  const features = useFeatures();
  const [, redraw] = useState({});
  const isLoaded = features.every(({ eventTexts }) => !eventTexts || eventTexts.loaded());
  useLayoutEffect(() => {
    // No saga has loaded them where DevTools or the laboratory shows a state.
    if (!isLoaded) void loadEventTexts(features).then(() => redraw({}));
  }, [features, isLoaded]);
  const texts = [
    own,
    ...features.map(({ eventTexts }) => eventTexts?.loaded()?.eventMessages?.[place] ?? {}),
  ];
  return (kind) => {
    const text = texts.find((some) => Object.hasOwn(some, kind))?.[kind];
    return text && _(text);
  };
}

/** What the feature of an event shows of it besides its name. The texts must be loaded. */
export function eventDetailOf(features: readonly Feature[], kind: string): EventDetail | undefined {
  const details = features.map(({ eventTexts }) => eventTexts?.loaded()?.eventDetails ?? {});
  return details.find((some) => Object.hasOwn(some, kind))?.[kind];
}
