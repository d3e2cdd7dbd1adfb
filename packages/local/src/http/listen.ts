import type http from 'node:http';
import type { Socket } from 'node:net';

/** A server that listens on this machine only. */
export interface Listening {
  readonly port: number;
  /** Stops listening and ends every connection, upgraded ones too. */
  readonly close: () => Promise<void>;
}

/** The port belongs to another program; the message says what to do about it. */
export class PortTakenError extends Error {
  constructor(readonly port: number) {
    super(
      `Port ${String(port)} is taken by another program on this machine.\n` +
        `Stop that program, or choose another port, such as ${String(port + 10)}.`,
    );
    this.name = 'PortTakenError';
  }
}

/**
 * Listens on this machine.
 *
 * @param port Port, or 0 for a free one.
 * @throws PortTakenError when another program listens there; Error when the port may not be used at all.
 */
export async function listen(
  server: http.Server,
  port: number,
  host: '127.0.0.1' | '::1' = '127.0.0.1',
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(port) : explained(error, port));
    });
    server.listen(port, host, resolve);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        // A browser keeps its connections, and a hot-reload socket never ends by itself.
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * Listens on both addresses of this machine. Browsers take `*.localhost` for either, so a program that holds the
 * same port on the other one would get some of the requests. A machine without IPv6 has only the first.
 */
export async function listenOnBoth(createServer: () => http.Server, port: number): Promise<Listening> {
  const first = await listen(createServer(), port);
  try {
    const second = await listen(createServer(), first.port, '::1');
    return {
      port: first.port,
      close: async () => {
        await Promise.all([first.close(), second.close()]);
      },
    };
  } catch (error) {
    if (isWithoutIpv6(error)) return first;
    await first.close();
    throw error;
  }
}

function isWithoutIpv6(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
  );
}

function explained(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EACCES') return error;
  return new Error(
    `Port ${String(port)} may not be used without more rights on this machine.\n` +
      'Choose one above 1023, such as 4010.',
    { cause: error },
  );
}
