import http from 'node:http';
import { readBody } from '../../src/http/send.ts';

/** The response, its body as bytes and as text. */
export interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * Sends a request to a server on this machine with a host name of the local environment, as a browser would.
 *
 * @param address such as `http://login.payments.localhost:4000/login`; the name goes into the Host header only.
 */
export async function ask(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answered> {
  const [, host = '', port = '', path = ''] = /^http:\/\/([^/:]+):(\d+)(\/.*)?$/.exec(address) ?? [];
  const request = http.request({
    host: '127.0.0.1',
    port,
    method,
    path: path === '' ? '/' : path,
    agent: false,
    headers: { Host: `${host}:${port}`, ...headers },
  });
  const answered = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.end(body);
  });
  const bytes = await readBody(answered);
  return { status: answered.statusCode ?? 0, headers: answered.headers, bytes, text: bytes.toString('utf8') };
}

/** Posts JSON, as the page does. */
export const post = (address: string, body: object, headers: Record<string, string> = {}) =>
  ask(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** What a browser sends when the user navigates to an address. */
export const navigation = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };
