import type { IncomingMessage } from 'node:http';
import type { RequestContext } from './familySession.ts';
import { endpoints } from './provider.ts';

/** The body of a request has at most 56 kB, as in the library. */
const maxBodyBytes = 56 * 1024;
/** Characters of a parameter of a request that waits for a user, and of all its parameters. */
const [maxLength, maxLengthOfAll] = [2048, 8192];
/** These are not stored as they are, and only the limit of all applies to them. */
const tokens: ReadonlySet<string> = new Set(['id_token_hint', 'client_assertion', 'request']);
const form = 'application/x-www-form-urlencoded';

/**
 * Reads the body of a POST once, for the checks below, and lets the library read what was read.
 *
 * @returns `null` if it is too long, or its client has gone.
 */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // The rest is read and dropped: most clients read a response only when they have sent everything.
      if (bytes <= maxBodyBytes) chunks.push(chunk);
    }
  } catch {
    return null;
  }
  if (bytes > maxBodyBytes) return null;
  const body = Buffer.concat(chunks).toString('utf8');
  // The library takes `body` where a stream has been read. HTTP/2 needs no length, but the library does.
  request.headers['content-length'] = String(bytes);
  Object.assign(request, { body });
  return body;
}

const isForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === form;

/** Why a request is refused before the library reads it. */
interface Fault {
  readonly status: 400 | 413;
  /** For the log and the application; without a value. */
  readonly reason: string;
}

/**
 * Checks what the library does not: lengths, because strangers make the service store requests, and characters that the database does
 * not store.
 *
 * @param body of a POST; `null` if it was too long. Absent for other methods.
 */
export function faultIn({ path, req }: RequestContext, body?: string | null): Fault | null {
  if (body === null) return { status: 413, reason: 'the body is too long' };
  const hasOtherBody = body !== undefined && body !== '' && !isForm(req);
  if (hasOtherBody) return { status: 400, reason: `the body is not ${form}` };
  const given = [...parametersOf(req, body)];
  if (given.some((pair) => pair.join('').includes('\0')))
    return { status: 400, reason: 'a parameter has a character that is not allowed' };
  // The library ignores a slash at the end.
  const isStored =
    path.startsWith(endpoints.authorization) || path === endpoints.pushed_authorization_request;
  if (!isStored) return null;
  const isLong = given.some(([name, value]) => value.length > maxLength && !tokens.has(name));
  const length = given.reduce((sum, pair) => sum + pair.join('').length, 0);
  return isLong || length > maxLengthOfAll ? { status: 400, reason: 'the parameters are too long' } : null;
}

/** The parameters of a request. */
export const parametersOf = ({ url = '' }: IncomingMessage, body?: string | null): URLSearchParams =>
  new URLSearchParams(body ?? /\?(.*)$/s.exec(url)?.[1] ?? '');
