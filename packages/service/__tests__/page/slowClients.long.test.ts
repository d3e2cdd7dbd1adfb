import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { listenForHttp, listenForHttps } from '../../src/platform/http/webServer.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { recordingLogger } from '../support/recordingLogger.ts';

jest.setTimeout(120_000);

const begin = async (count: number, port: number, bytes: string) => {
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(bytes);
    return socket;
  });
  const ended = Promise.all(sockets.map((socket) => once(socket, 'close')));
  await Promise.all(sockets.filter(({ pending }) => pending).map((socket) => once(socket, 'connect')));
  return { ended };
};

it.concurrent.each([
  ['headers', 'GET / HTTP/1.1\r\nX', 9_000],
  ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx', 14_000],
])(
  'ends a thousand requests whose %s never come, which keep nobody waiting',
  async (_what, bytes, leastMs) => {
    const { logger, entries } = recordingLogger();
    const [port = 0] = await freePorts(1);
    const server = await listenForHttp(
      (request, response) => {
        request.resume().on('end', () => response.end('done'));
      },
      { port, host: '127.0.0.1' },
      logger,
    );
    const begun = performance.now();
    const { ended } = await begin(1000, port, bytes);
    const timedOut = () => entries().filter(({ fields }) => fields['status'] === 408).length;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('done');
    // Not a limit of speed: behind the others it would wait until they end.
    expect(timedOut()).toBe(0);
    await ended;
    expect(performance.now() - begun).toBeGreaterThan(leastMs);
    expect(timedOut()).toBe(1000);
    await server.close();
  },
);

it.concurrent('ends a response that a client does not read', async () => {
  const [port = 0] = await freePorts(1);
  const server = await listenForHttp(
    (_request, response) => response.end(Buffer.alloc(50_000_000)),
    { port, host: '127.0.0.1' },
    silentLogger,
  );
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  // The server has no connection left when `close` resolves.
  const begun = performance.now();
  await once(socket, 'connect');
  await server.close();
  expect(performance.now() - begun).toBeGreaterThan(25_000);
  socket.destroy();
});

it.concurrent(
  'ends an HTTP/2 request whose body never comes, and the connection when nothing follows',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-web-'));
    const file = (name: string): string => path.join(folder, name);
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:P-256',
          '-nodes',
          '-subj',
          '/CN=a',
        ],
        ...['-keyout', file('key.pem'), '-out', file('cert.pem')],
      ],
      { stdio: 'ignore' },
    );
    const [port = 0] = await freePorts(1);
    const server = await listenForHttps(
      (request) => request.resume(),
      { port, host: '127.0.0.1' },
      { certificate: file('cert.pem'), key: file('key.pem') },
      silentLogger,
    );
    const begun = performance.now();
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.on('error', () => undefined);
    const stream = session.request({ ':method': 'POST', 'content-length': '9' });
    stream.on('error', () => undefined);
    stream.write('x');
    await once(stream, 'close');
    expect(performance.now() - begun).toBeGreaterThan(14_000);
    expect(performance.now() - begun).toBeLessThan(40_000);
    await once(session, 'close');
    await server.close();
    rmSync(folder, { recursive: true });
  },
);
