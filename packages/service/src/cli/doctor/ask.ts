import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { connect as connectTcp } from 'node:net';
import tls from 'node:tls';

/** How a deployment is reached. */
export interface Outside {
  /** Connect to this address, whatever the names lead to: for a deployment that is not in the DNS yet. */
  readonly connectTo?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Certificates that are trusted besides (PEM). */
  readonly ca?: string;
}

export interface WebResponse {
  readonly status: number;
  /** Several of one name are joined as `Headers` does; of `set-cookie` there are lists. */
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** By how many milliseconds the clock of the server is before ours; `null` without a `Date`. */
  readonly clockAhead: number | null;
}

export interface WebRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const timeoutMs = 10_000;

/**
 * Sends one request, and follows nothing. A certificate that is wrong does not matter here: `certificateOf` says so, and the
 * rest of what is wrong should be found too.
 *
 * @throws Error when there is no answer within 10 s.
 */
export function askWeb(outside: Outside, address: string, request: WebRequest = {}): Promise<WebResponse> {
  const url = new URL(address);
  const begun = outside.now();
  return new Promise((resolve, reject) => {
    const options = {
      host: outside.connectTo ?? url.hostname,
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      // Not the URL's: it would tidy up what is to be asked as it is.
      path: address.slice(url.origin.length) || '/',
      method: request.method ?? 'GET',
      headers: { host: url.host, ...request.headers },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    } as const;
    const onAnswer = (response: http.IncomingMessage): void => {
      const arrived = outside.now();
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const there = Date.parse(response.headers.date ?? '');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          // `Date` has whole seconds, half a second early on average.
          clockAhead: Number.isNaN(there) ? null : there + 500 - (begun + arrived) / 2,
        });
      });
    };
    const sent =
      url.protocol === 'https:'
        ? https.request({ ...options, servername: url.hostname, rejectUnauthorized: false }, onAnswer)
        : http.request(options, onAnswer);
    sent.once('error', reject);
    sent.end(request.body);
  });
}

export interface Certificate {
  /** Node's code of what is wrong with it, `null` for one that a browser would take. */
  readonly fault: string | null;
  readonly validUntil: number;
  readonly names: string;
}

/** The certificate that a host shows. @throws Error when it shows none. */
export function certificateOf(outside: Outside, host: string, port: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host: outside.connectTo ?? host,
      port,
      servername: host,
      rejectUnauthorized: false,
      ...(outside.ca === undefined ? {} : { ca: [...tls.rootCertificates, outside.ca] }),
      timeout: timeoutMs,
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('ETIMEDOUT')));
    socket.once('secureConnect', () => {
      const { valid_to, subjectaltname = '' } = socket.getPeerCertificate();
      const fault = socket.authorized ? null : codeOf(socket.authorizationError);
      socket.destroy();
      resolve({ fault, validUntil: Date.parse(valid_to), names: subjectaltname.replaceAll('DNS:', '') });
    });
  });
}

/** The addresses that a name leads to; none where there are none. */
export async function addressesOf(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Whether something takes connections there. */
export function isOpen(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host: address, port, timeout: 3_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => {
      end(true);
    });
    socket.once('error', () => {
      end(false);
    });
    socket.once('timeout', () => {
      end(false);
    });
  });
}

/** What names an error of Node's: its code, if it has one. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer within 10 s';
  return 'code' in error ? String(error.code) : error.message;
}
