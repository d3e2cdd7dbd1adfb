import type { IncomingMessage, ServerResponse } from 'node:http';
import { expiredCookies } from '@vestibule/contract/expiredCookies';
import { sendText } from '../http/send.ts';
import type { EnvironmentConfig } from '../environmentConfig.ts';

/** Expires the session cookies for our own page only, because otherwise a link on any site could sign users out. */
export function expireSessionCookies(
  request: IncomingMessage,
  response: ServerResponse,
  cookies: EnvironmentConfig['cookies'],
  headers: Readonly<Record<string, string>>,
): void {
  if (request.method !== 'POST' || !isOwnPage(request)) {
    sendText(response, 403, 'Only for the page of this host.', headers);
    return;
  }
  response.writeHead(204, {
    ...headers,
    'Cache-Control': 'no-store',
    'Set-Cookie': [...expiredCookies(cookies, { secure: false })],
  });
  response.end();
}

function isOwnPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // Safari before 16.4 sends only `Origin`.
  const { origin, host } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
