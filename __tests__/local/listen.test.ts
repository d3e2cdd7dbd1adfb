/** @jest-environment node */
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { listen, listenOnBoth, PortTakenError, type Listening } from '../../local/listen';
import { startWorld } from '../../local/world';

const open: { close: () => unknown }[] = [];
const keep = <T extends { close: () => unknown }>(opened: T): T => {
  open.push(opened);
  return opened;
};
afterEach(async () => {
  for (const { close } of open.splice(0)) await close();
});

const anotherProgram = async (): Promise<Listening> => keep(await listen(http.createServer(), 0));

/** A machine without IPv6 has only the first. */
const loopbacks = (['127.0.0.1', '::1'] as const).filter((wanted) =>
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === wanted),
  ),
);

describe('a port that another program has', () => {
  test('is named, together with how to choose another', async () => {
    const { port } = await anotherProgram();
    const refused = listenOnBoth(() => http.createServer(), port);
    await expect(refused).rejects.toThrow(PortTakenError);
    await expect(refused).rejects.toThrow(
      `Port ${port} is taken by another program on this machine.\n` +
        `Stop that program, or choose another port: PORT=${port + 10} npm start`,
    );
  });

  test('stops a world before it opens a database', async () => {
    const { port } = await anotherProgram();
    await expect(
      startWorld({ mode: 'production', port, databaseUrl: 'postgres://127.0.0.1:1/would-fail-otherwise' }),
    ).rejects.toThrow(PortTakenError);
  });

  test.each(loopbacks)('is noticed on %s, where a browser might find that program first', async (address) => {
    const { port } = keep(await listen(http.createServer(), 0, address));
    await expect(listenOnBoth(() => http.createServer(), port)).rejects.toThrow(PortTakenError);
  });
});

test('closing ends connections that their browser would keep open', async () => {
  const server = await listen(http.createServer(), 0);
  const socket = net.connect(server.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await server.close();
  await expect(ended).resolves.toBe(false);
});
