import type { IncomingMessage, ServerResponse } from 'node:http';

/** A handler of one host of the environment. */
export type HostHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Ends a response in one piece; a HEAD request gets the headers only. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { 'Content-Length': String(bytes.byteLength), ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** A short plain-text response. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(
    response,
    status,
    {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
    `${text}\n`,
  );
}

/** A JSON response that is not cached. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(
    response,
    status,
    {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    JSON.stringify(value),
  );
}

/** Redirects the browser. The address is percent-encoded already or comes from the environment itself. */
export function redirect(
  response: ServerResponse,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, 302, { Location: location, 'Cache-Control': 'no-store', ...headers });
}

/** A body has more bytes than its reader takes. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/**
 * The whole body of a message.
 *
 * @throws BodyTooLarge for more than `limit` bytes. The connection stays open, so that the sender can read a response.
 */
export async function readBody(message: IncomingMessage, limit = 4_000_000): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.byteLength;
    if (size > limit) throw new BodyTooLarge(`A body of more than ${String(limit)} bytes was refused.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
