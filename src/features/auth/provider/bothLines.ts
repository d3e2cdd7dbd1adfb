import type { MessageLine } from '@shared/platform/platform';

/** Several lines as one source: what comes first counts, by whichever way the browser lets it through. */
export function bothLines(lines: readonly Pick<MessageLine, 'subscribe'>[]): MessageLine['subscribe'] {
  return (listener) => {
    const stops = lines.map((line) => line.subscribe(listener));
    return () => {
      for (const stop of stops) stop();
    };
  };
}
