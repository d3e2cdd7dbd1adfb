import type { MessageLine } from '@shared/platform/platform';

/**
 * One flow's part of the line between two windows. A channel is named after its state; a window is not, and may come
 * back under the state of another flow, whose code must not be taken for this one's. So each message names its flow.
 */
export function flowLine(line: MessageLine, state: string): MessageLine {
  return {
    post: (message) => line.post({ ...message, state }),
    subscribe: (listener) =>
      line.subscribe((message) => {
        const { state: named, ...rest } = message as { readonly state?: unknown };
        if (named === state) listener(rest);
      }),
  };
}
