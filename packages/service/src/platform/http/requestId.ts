import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The id that a proxy has given to the request (nginx: `$request_id`); without one, or with one of another form, a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\da-f]{32}$/.test(given) ? given : randomUUID();
}
