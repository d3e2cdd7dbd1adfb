import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server of an application, to which tokens are posted. @param field of the form. */
export function createPostListener(field: string) {
  const tokens: string[] = [];
  let status = 200;
  let port = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      if (status === 200) tokens.push(form.get(field) ?? '');
      response.writeHead(status).end();
    });
  });
  return {
    tokens,
    /** @returns its address, which is the same each time. */
    start: async (): Promise<string> => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
      return `http://127.0.0.1:${port}/heard`;
    },
    stop: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
    respond: (next: number) => {
      status = next;
    },
    until: async (count: number, atMostMs = 5_000): Promise<void> => {
      const end = performance.now() + atMostMs;
      while (tokens.length < count && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(tokens).toHaveLength(count);
    },
  };
}
