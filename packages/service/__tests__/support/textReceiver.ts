import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call as the receiver got it. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the receiver does with a call that it has read: answer, say nothing, or hang up. */
export type Treatment =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'
  | 'cut';

/** A real HTTP server in this process that acts as a provider of text messages. */
export type TextReceiver = Awaited<ReturnType<typeof openTextReceiver>>;
export async function openTextReceiver() {
  const calls: ReceivedCall[] = [];
  let treatments: readonly Treatment[] = [{ status: 201 }];
  let waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      calls.push({ method, path: url, headers, body });
      for (const one of waiting) if (calls.length >= one.count) one.resolve();
      waiting = waiting.filter(({ count }) => calls.length < count);
      const [treatment = 'cut', ...later] = treatments;
      if (later.length > 0) treatments = later;
      if (treatment === 'cut') request.socket.destroy();
      else if (treatment !== 'hang')
        response.writeHead(treatment.status, treatment.headers).end(treatment.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every call so far, oldest first. */
    calls: (): readonly ReceivedCall[] => calls,
    /** Resolves when this many calls have come in all. */
    untilCalls: async (count: number) => {
      if (calls.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
    },
    /** One for each call to come; the last one stays. */
    treat: (...next: readonly [Treatment, ...Treatment[]]) => {
      treatments = next;
    },
    /** Hangs up on calls that hang, too. */
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
