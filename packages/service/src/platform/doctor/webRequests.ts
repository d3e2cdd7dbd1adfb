import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { connect as connectTcp } from 'node:net';
import tls from 'node:tls';

/** How the checks reach a deployment. */
export interface Outside {
  /** Connect to this address instead of those in the DNS, for a deployment that is not there yet. */
  readonly connectTo?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Additional trusted certificates (PEM). */
  readonly ca?: string;
  /** The folder with the systemd units. Default: that of this machine. */
  readonly units?: string;
}

export interface WebResponse {
  readonly status: number;
  /** Repeated headers are joined as by `Headers`, except `set-cookie`. */
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** How far the server's clock is ahead of this machine's, in milliseconds; `null` without a `Date`. */
  readonly clockAhead: number | null;
}

interface WebRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const timeoutMs = 10_000;

/**
 * Sends one request without following redirects. Invalid certificates are accepted, so that all faults are found:
 * `certificateOf` reports them.
 *
 * @throws Error without a response within 10 s.
 */
export function sendRequest(
  outside: Outside,
  address: string,
  request: WebRequest = {},
): Promise<WebResponse> {
  const url = new URL(address);
  const begun = outside.now();
  return new Promise((resolve, reject) => {
    const options = {
      host: outside.connectTo ?? url.hostname,
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      // The path of `URL` is not used, because it is normalised.
      path: address.slice(url.origin.length) || '/',
      method: request.method ?? 'GET',
      headers: { host: url.host, ...request.headers },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    } as const;
    const onResponse = (response: http.IncomingMessage): void => {
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
          // `Date` has whole seconds, on average half a second early.
          clockAhead: Number.isNaN(there) ? null : there + 500 - (begun + arrived) / 2,
        });
      });
    };
    const sent =
      url.protocol === 'https:'
        ? https.request({ ...options, servername: url.hostname, rejectUnauthorized: false }, onResponse)
        : http.request(options, onResponse);
    sent.once('error', reject);
    sent.end(request.body);
  });
}

export interface Certificate {
  /** Node's error code; `null` for a certificate that browsers accept. */
  readonly fault: string | null;
  readonly validUntil: number;
  readonly names: string;
}

/**
 * The certificate that a server presents for a name.
 *
 * @param server.authorities PEM; absent: those that Node.js trusts.
 * @throws Error if there is none within 10 s.
 */
export function certificateOf({
  host,
  port,
  name,
  authorities,
}: {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly authorities?: readonly string[];
}): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host,
      port,
      servername: name,
      rejectUnauthorized: false,
      ...(authorities === undefined ? {} : { ca: [...authorities] }),
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

/** The addresses of a name; empty if it has none. */
export async function addressesOf(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Whether a TCP port accepts connections. */
export function isOpen(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host: address, port, timeout: 3_000 });
    const end = (isAccepted: boolean): void => {
      socket.destroy();
      resolve(isAccepted);
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

/** The code of an error, otherwise its message. */
export function codeOf(error: unknown): string {
  const { name, code, message = String(error) } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (name === 'TimeoutError' || name === 'AbortError') return 'no response within 10 s';
  return code ?? message;
}

/** The JSON of a body; `undefined` if it is none. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
