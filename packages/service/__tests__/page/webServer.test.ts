import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { listenForHttp, listenForHttps, type WebServer } from '../../src/platform/http/webServer.ts';
import { recordingLogger } from '../support/recordingLogger.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-web-'));
const file = (name: string): string => path.join(folder, name);
const files = { certificate: file('cert.pem'), key: file('key.pem') };
const certify = (name: string): void => {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'];
  const out = ['-keyout', file(`${name}-key.pem`), '-out', file(`${name}.pem`)];
  execFileSync('openssl', ['req', '-x509', ...curve, ...out, '-subj', `/CN=${name}`], { stdio: 'ignore' });
};
const use = (name: string): void => {
  copyFileSync(file(`${name}.pem`), files.certificate);
  copyFileSync(file(`${name}-key.pem`), files.key);
};
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const { logger, entries, text } = recordingLogger();
const logged = async (event: string): Promise<void> => {
  while (!entries().some((entry) => entry.event === event)) await pause(5);
};
const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => response.end(`${String(request.method)} ${String(request.url)} ${body}`));
};

describe('an http server', () => {
  let port: number;
  let server: WebServer;
  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    server = await listenForHttp(echo, { port, host: '127.0.0.1' }, logger);
  });
  afterAll(() => server.close());

  /** Sends bytes and resolves with the response, when the server has closed the connection. */
  const send = async (bytes: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    return received;
  };
  const secret = 'ada-5ecret';
  const line = `GET /redirect/${secret} HTTP/1.1\r\n`;
  const end = 'Host: a\r\nConnection: close\r\n\r\n';

  it.each([
    ['is no HTTP', `hello ${secret}\r\n\r\n`, '400'],
    ['has headers of more than 16 kB', `${line}Cookie: ${'x'.repeat(20_000)}\r\n${end}`, '431'],
    ['has an address of more than 16 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${end}`, '431'],
    ['has a null byte in a header', `${line}X: a\u0000b\r\n${end}`, '400'],
    ['has another version', `GET /${secret} HTTP/9.9\r\n${end}`, '400'],
    ['has two lengths', `POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${end}`, '400'],
    [
      'has a length and chunks',
      `POST / HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`,
      '400',
    ],
    [
      'hides the chunks from a proxy',
      `POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n${end}0\r\n\r\n`,
      '400',
    ],
    ['has a space before a colon', `${line}Host : a\r\n${end}`, '400'],
    ['folds a header', `${line}X: a\r\n b\r\n${end}`, '400'],
  ])('refuses a request that %s, closes, and logs nothing of it', async (_what, bytes, status) => {
    const received = await send(bytes);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toContain('\r\nCache-Control: no-store\r\n');
    expect(received).toContain("\r\nContent-Security-Policy: default-src 'none'");
    // Exactly one response: nothing of it was read as a second request.
    expect(received.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
    expect(text()).not.toContain('5ecret');
  });

  it('reads a chunked body to its end, and no second request in it', async () => {
    const body = '3\r\nGET\r\n0\r\n\r\n';
    const received = await send(`POST /call HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${end}${body}`);
    expect(received).toMatch(/^HTTP\/1\.1 200 .*POST \/call GET$/s);
  });

  it('closes a connection that a client keeps when it stops, after the response', async () => {
    const [other = 0] = await freePorts(1);
    const late: RequestListener = (_request, response) => setTimeout(() => response.end('late'), 100);
    const second = await listenForHttp(late, { port: other, host: '127.0.0.1' }, logger);
    const response = fetch(`http://127.0.0.1:${other}`);
    await pause(50);
    await second.close();
    expect(await (await response).text()).toBe('late');
  });
});

describe('an https server', () => {
  let port: number;
  let server: WebServer;
  const failures: string[] = [];
  beforeAll(async () => {
    certify('first');
    certify('second');
    [port = 0] = await freePorts(1);
    jest.useFakeTimers({
      doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'setTimeout'],
    });
    const listening = listenForHttps(echo, { port, host: '127.0.0.1' }, files, logger, (name, times = 1) => {
      if (times > 0) failures.push(name);
    });
    // The certificate comes later.
    await pause(50);
    use('first');
    server = await listening;
  });
  afterAll(async () => {
    jest.useRealTimers();
    await server.close();
  });

  const presented = async (options = {}): Promise<string> => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    await once(socket, 'secureConnect');
    const name = String(socket.getPeerCertificate().subject.CN);
    socket.destroy();
    return name;
  };

  it('waits for its certificate, and takes over a new one without a restart, only with its key', async () => {
    expect(entries().map(({ event }) => event)).toContain('waiting for the certificate');
    expect(await presented()).toBe('first');
    copyFileSync(file('second.pem'), files.certificate);
    jest.advanceTimersByTime(60_000);
    await logged('reading the certificate failed');
    expect(await presented()).toBe('first');
    use('second');
    jest.advanceTimersByTime(60_000);
    await logged('certificate replaced');
    expect(failures).toEqual(['reading the certificate']);
    expect(await presented()).toBe('second');
  });

  it('speaks HTTP/2 and HTTP/1.1, by TLS 1.2 and 1.3 only', async () => {
    await expect(presented({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();
    expect(await presented({ maxVersion: 'TLSv1.2' })).toBe('second');
    const session: ClientHttp2Session = connectHttp2(`https://127.0.0.1:${port}`, {
      ca: readFileSync(file('second.pem')),
      checkServerIdentity: () => undefined,
    });
    const stream = session.request({ ':path': '/call', ':method': 'POST' });
    stream.end('body');
    let received = '';
    stream.on('data', (chunk) => (received += String(chunk)));
    await once(stream, 'end');
    expect(received).toBe('POST /call body');
    const closed = once(session, 'close');
    session.close();
    await closed;
  });

  it('closes an idle connection of HTTP/1.1 when it stops', async () => {
    const [other = 0] = await freePorts(1);
    const second = await listenForHttps(echo, { port: other, host: '127.0.0.1' }, files, logger);
    const socket = connectTls({ port: other, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write('GET /idle HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await second.close();
    await closed;
    expect(socket.readyState).toBe('closed');
  });

  it('closes HTTP/2 connections when it stops, after their responses', async () => {
    const [other = 0] = await freePorts(1);
    const second = await listenForHttps(
      (_request, response) => setTimeout(() => response.end('late'), 100),
      { port: other, host: '127.0.0.1' },
      files,
      logger,
    );
    const session = connectHttp2(`https://127.0.0.1:${other}`, { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/' });
    let received = '';
    stream.on('data', (chunk) => (received += String(chunk)));
    await once(session, 'connect');
    await pause(30);
    await second.close();
    expect(received).toBe('late');
  });
});

describe('an https server with slow clients', () => {
  let port: number;
  let server: WebServer;
  beforeAll(async () => {
    certify('first');
    use('first');
    [port = 0] = await freePorts(1);
    server = await listenForHttps(echo, { port, host: '127.0.0.1' }, files, logger, undefined, {
      // A handshake that is not slow is done by then on a busy machine too.
      headersTimeout: 1_000,
      requestTimeout: 1_500,
      // Longer than the tests may take: nothing else ends a connection.
      keepAliveTimeout: 600_000,
      timeout: 600_000,
      connectionsCheckingInterval: 20,
    });
  });
  afterAll(() => server.close());

  /** Sends the beginning, then a byte now and then. @returns what the server sends before it ends the connection. */
  const trickle = async (socket: Socket, beginning: string | Buffer, each = ''): Promise<string> => {
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    // A byte that is on its way resets the connection.
    socket.on('error', () => undefined);
    socket.write(beginning);
    const more = setInterval(() => socket.writable && socket.write(each), 100);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(more);
    return received.split('\r\n')[0] ?? '';
  };

  it('ends a connection without a handshake, and requests whose headers or body do not come', async () => {
    const plain = () => connect(port, '127.0.0.1');
    const secured = () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    /** A record of TLS that announces 512 bytes. */
    const hello = Buffer.from([0x16, 3, 1, 2, 0]);
    const post = 'POST /call HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n';
    const ended = await Promise.all([
      trickle(plain(), ''),
      trickle(plain(), hello, '\u0001'),
      trickle(secured(), ''),
      trickle(secured(), 'GET / HTTP/1.1\r\nX:', 'x'),
      trickle(secured(), post),
      trickle(secured(), post, 'x'),
    ]);
    const late = 'HTTP/1.1 408 Request Timeout';
    expect(ended).toEqual(['', '', late, late, late, late]);
  });

  it('ends a request of HTTP/2 whose body trickles', async () => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/call', ':method': 'POST', 'content-length': '900000' });
    stream.on('error', () => undefined);
    // A stream whose response is not read does not close.
    stream.resume();
    const more = setInterval(() => stream.writable && stream.write('x'), 100);
    await new Promise((resolve) => stream.once('close', resolve));
    expect({ isRequestOpen: !stream.closed, isConnectionOpen: !session.closed }).toEqual({
      isRequestOpen: false,
      isConnectionOpen: true,
    });
    clearInterval(more);
    session.destroy();
  });
});
