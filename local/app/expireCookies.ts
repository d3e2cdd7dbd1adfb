import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerText } from '../http/answer';
import type { WorldConfig } from '../worldConfig';

/** Where the page asks for it. */
export const expireCookiesPath = '/expire-session-cookies';

/**
 * Expires the session's cookies under the name, domain and path that the page writes: a sibling host's HttpOnly copy, which
 * no script can see or overwrite, has the same three. A copy under another domain or path stands beside the page's and
 * hides nothing. Only for our own page: anything else would let a link on any site sign people out.
 */
export function expireSessionCookies(
  request: IncomingMessage,
  response: ServerResponse,
  { prefix, domain, sameSite }: WorldConfig['cookies'],
  headers: Readonly<Record<string, string>>,
): void {
  if (request.method !== 'POST' || !isOwnPage(request)) {
    answerText(response, 403, 'Only for the page of this host.', headers);
    return;
  }
  const secure = sameSite === 'None' ? '; Secure' : '';
  const names = ['session', 'session-refresh', 'session-setup'].map((name) => `${prefix}-${name}`);
  response.writeHead(204, {
    ...headers,
    'Cache-Control': 'no-store',
    'Set-Cookie': names.map(
      (name) => `${name}=; Path=/; Domain=${domain}; Max-Age=0; SameSite=${sameSite}${secure}`,
    ),
  });
  response.end();
}

function isOwnPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // Safari before 16.4 says only where the page is from.
  const { origin, host } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
