import type { TestService } from './testService.ts';

/** A stream of live events, as a browser reads it. */
export type EventStream = Awaited<ReturnType<typeof openStream>>;

/** Opens the stream of a bearer. */
export async function openStream({ url }: Pick<TestService, 'url'>, bearer: string) {
  const { status, headers, body } = await fetch(`${url}/auth/v1/events`, {
    headers: { Authorization: `Bearer ${bearer}`, Accept: 'text/event-stream' },
  });
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  const nextBlock = async (): Promise<string | null> => {
    for (;;) {
      const [block = '', ...others] = rest.split('\n\n');
      if (others.length > 0) {
        rest = others.join('\n\n');
        return block;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      rest += decoder.decode(value, { stream: true });
    }
  };
  return {
    status,
    headers,
    close: () => reader.cancel(),
    /** The next event, without comments and the version; `null`: the stream has ended. */
    next: async (): Promise<string | null> => {
      for (let block = await nextBlock(); ; block = await nextBlock())
        if (block === null || !/^(?::|id:)/.test(block)) return block;
    },
    /** The first block, if nothing was read yet. */
    first: nextBlock,
  };
}

/** Everything that follows, up to the end of the stream. */
export async function allOf({ next }: EventStream): Promise<readonly string[]> {
  const events: string[] = [];
  for (let event = await next(); event !== null; event = await next()) events.push(event);
  return events;
}

export const ended = (reason: string) => `event: session-ended\ndata: {"reason":"${reason}"}`;
