import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { repeat } from '../background.ts';
import { NamedError, naming } from '../namedError.ts';
import { readSecretFile } from '../settings/secretFile.ts';
import type { Logger } from '../settings/options.ts';
import { certificateWithKey } from './certificatePair.ts';

/** Files with a certificate and its chain, and with its key, PEM. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A port and an address, or a socket that systemd has opened, and the variable that errors name. */
export type Endpoint = { readonly variable?: string } & (
  { readonly port: number; readonly host?: string } | { readonly fd: number }
);

export interface WebServer {
  /** Accepts no more connections and closes those without a request. Resolves when the last one has ended. */
  readonly close: () => Promise<void>;
}

/** How long a client may take, ms. */
const times = {
  /** For the headers, and before them for the handshake of TLS. */
  headersTimeout: 10_000,
  /** For the whole request. */
  requestTimeout: 15_000,
  /** Between two requests; longer than the 60 s of common proxies, so that the proxy closes the connection first. */
  keepAliveTimeout: 75_000,
  /** Without reading or writing anything; event streams send a comment every 20 s. */
  timeout: 30_000,
  /** How often a server looks for slow requests. */
  connectionsCheckingInterval: 2_000,
};

/** Connections that wait while a process is replaced, as in the unit of the socket. */
const backlog = 4096;

/**
 * Listens for plain http.
 *
 * @throws Error if it cannot listen there.
 */
export async function listenForHttp(
  listener: RequestListener,
  endpoint: Endpoint,
  logger: Logger,
): Promise<WebServer> {
  // A request without a host gets 421, as one with an unknown host.
  const server = createServer({ ...times, requireHostHeader: false }, listener);
  server.timeout = times.timeout;
  return listening(server, endpoint, logger);
}

/** Mozilla's 'intermediate' recommendation, guideline 5.7. */
const tlsSettings = {
  minVersion: 'TLSv1.2',
  ciphers: [
    ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
    ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    ...['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ].join(':'),
} as const;

/**
 * Listens for https, HTTP/1.1 and HTTP/2. Waits for the files, and reads them again every minute.
 *
 * @param onFailure called with the name of work that failed: reading the files again; with 0 `times` at its start.
 * @param limits shorter in tests.
 * @throws Error if it cannot listen there, or the files are no certificate and its key.
 */
export async function listenForHttps(
  listener: RequestListener,
  endpoint: Endpoint,
  files: CertificateFiles,
  logger: Logger,
  onFailure: (name: string, times?: number) => void = () => undefined,
  limits: Readonly<typeof times> = times,
): Promise<WebServer> {
  let pair = await certificateFrom(files, logger);
  // Without `noDelay` the last packet of a file would wait 40 ms. Servers of plain http have it by default.
  const options = {
    ...tlsSettings,
    ...pair,
    allowHTTP1: true,
    noDelay: true,
    handshakeTimeout: limits.headersTimeout,
    settings: { maxConcurrentStreams: 100 },
  };
  const server = createSecureServer(options, (request, response) => {
    // HTTP/2 has the host in a field of its own.
    const { headers } = request;
    if (headers[':authority'] !== undefined) headers.host = headers[':authority'];
    // The listener uses only what requests and responses of both versions have.
    listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  // Node.js 20 to 24 take no such options for HTTP/1.1 beside HTTP/2, and read these when the server begins to listen.
  Object.assign(server, limits);
  const sessions = followSessions(server, limits);
  const stopReading = repeat(
    {
      name: 'reading the certificate',
      everyMilliseconds: 60_000,
      startsNow: false,
      logger,
      onFailure,
    },
    async () => {
      const next = await readPair(files);
      if (next.cert === pair.cert && next.key === pair.key) return;
      server.setSecureContext({ ...tlsSettings, ...next });
      pair = next;
      logger.info('certificate replaced');
    },
  );
  const { close } = await listening(server, endpoint, logger);
  return {
    close: async () => {
      const closed = close();
      await stopReading();
      for (const session of sessions) session.close();
      await closed;
    },
  };
}

/** Reads a certificate and its key. @throws NamedError for the variable. */
export async function readPair({ certificate, key }: CertificateFiles) {
  const pair = {
    cert: await naming('TLS_CERTIFICATE_FILE', () => readFile(certificate, 'utf8')),
    key: await naming('TLS_KEY_FILE', () => readSecretFile(key)),
  };
  try {
    certificateWithKey(pair.cert, pair.key);
  } catch (error) {
    const what = `TLS_CERTIFICATE_FILE and TLS_KEY_FILE: ${certificate} and ${key} are no certificate and its key`;
    throw new NamedError(what, error);
  }
  return pair;
}

/** The first certificate may come after the start, because the authority asks this process for a challenge. */
async function certificateFrom(files: CertificateFiles, logger: Logger): ReturnType<typeof readPair> {
  let isReported = false;
  for (;;) {
    try {
      return await readPair(files);
    } catch (error) {
      if ((error as NamedError).code !== 'ENOENT') throw error;
      if (!isReported) logger.warn('waiting for the certificate', { ...files });
      isReported = true;
      await pause(1_000);
    }
  }
}

/** HTTP/2 has no time limits of its own. */
function followSessions(
  server: Http2SecureServer,
  { keepAliveTimeout, requestTimeout }: Readonly<typeof times>,
): ReadonlySet<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setTimeout(keepAliveTimeout, () => {
      session.destroy();
    });
  });
  server.on('stream', (stream) => {
    const limit = setTimeout(() => {
      stream.close();
    }, requestTimeout);
    for (const event of ['end', 'close'])
      stream.once(event, () => {
        clearTimeout(limit);
      });
    if (stream.endAfterHeaders) clearTimeout(limit);
  });
  return sessions;
}

async function listening(
  server: Server | Http2SecureServer,
  endpoint: Endpoint,
  logger: Logger,
): Promise<WebServer> {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    refuse(error, socket, logger);
  });
  // Node.js would refuse a request that expects anything unknown, without the headers of the page.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  let isClosing = false;
  // `server.close()` leaves connections with a request in progress open, so each is closed after its response. `end` sends the
  // buffered data first.
  const endConnection = function (this: ServerResponse): void {
    if (isClosing && this.req.httpVersionMajor === 1) this.req.socket.end();
  };
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.on('finish', endConnection);
  });
  const { variable = 'PORT', ...at } = endpoint;
  await naming(variable, () => {
    server.listen({ ...at, backlog });
    return once(server, 'listening');
  });
  return {
    close: async () => {
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** The headers of a response to a request that reaches neither the page nor the service. */
export const bareHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const;

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is no HTTP request, or comes too slowly. The request is not logged, because it may contain a secret. */
function refuse({ code = 'unknown' }: NodeJS.ErrnoException, socket: Duplex, logger: Logger): void {
  // Without a handshake a response would never be sent, and the connection would stay open.
  if (!socket.writable || code === 'ECONNRESET' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT') {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  logger.info('request refused', { status, reason: code });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      ...Object.entries(bareHeaders).map((header) => header.join(': ')),
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
    () => socket.destroy(),
  );
}
