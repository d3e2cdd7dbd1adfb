import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a request on to a server on a port of this machine and returns its response, headers first. The Host header
 * stays the browser's: no name of the environment is ever resolved by Node, which may not know `*.localhost`.
 *
 * @throws Error when the port does not respond.
 */
export async function requestFrom(
  port: number,
  options: Pick<http.RequestOptions, 'method' | 'path' | 'headers' | 'signal'>,
  body: IncomingMessage | Buffer,
): Promise<IncomingMessage> {
  const outgoing = http.request({ ...options, host: '127.0.0.1', port });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject);
  });
  if (Buffer.isBuffer(body)) outgoing.end(body);
  else await Promise.race([pipeline(body, outgoing), answered]);
  return answered;
}

/** Passes a WebSocket upgrade to a server on a port of this machine; both sockets end together. */
export function passOnUpgrade(port: number, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const outgoing = http.request({
    host: '127.0.0.1',
    port,
    path: request.url ?? '/',
    method: 'GET',
    headers: request.headers,
  });
  outgoing.once('upgrade', (answered, upstream, upstreamHead) => {
    const lines = [`HTTP/1.1 101 ${answered.statusMessage ?? 'Switching Protocols'}`];
    for (let index = 0; index + 1 < answered.rawHeaders.length; index += 2) {
      lines.push(`${answered.rawHeaders[index] ?? ''}: ${answered.rawHeaders[index + 1] ?? ''}`);
    }
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (upstreamHead.length > 0) socket.write(upstreamHead);
    if (head.length > 0) upstream.write(head);
    // Either end may go first: a page that is reloaded drops its socket, an environment that stops drops the server's.
    upstream.once('error', () => socket.destroy()).once('close', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
    upstream.pipe(socket).pipe(upstream);
  });
  outgoing.once('response', () => socket.destroy());
  outgoing.once('error', () => socket.destroy());
  socket.once('error', () => outgoing.destroy());
  outgoing.end();
}
