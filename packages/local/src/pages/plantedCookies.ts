import type { ServerResponse } from 'node:http';
import { sendText } from '../http/send.ts';
import { familyDomain, originOf } from '../hosts.ts';
import { cookiePrefix } from '../environmentConfig.ts';

const attributes = `Path=/; Domain=${familyDomain}; SameSite=Lax`;

/** Session cookies in the states that a sibling application, or time, may leave them in. */
const planted: ReadonlyMap<string, () => readonly string[]> = new Map([
  ['malformed', () => sessionCookies('{"authenticated":', 'leftover')],
  ['expired', () => sessionCookies(expiredSession(), 'expired-refresh-token')],
  [
    'hidden',
    // The last is for a test to try: what a page may write over it without harm.
    () =>
      [...sessionCookies('kept', 'kept'), setupCookie('kept'), `probe=kept; ${attributes}`].map(
        (cookie) => `${cookie}; HttpOnly`,
      ),
  ],
  ['none', () => sessionCookies('', '').map((cookie) => `${cookie}; Max-Age=0`)],
]);

/** Sets the cookies on the sibling host, for the whole family, and leads to the sign-in page. */
export function plantCookies(response: ServerResponse, state: string, port: number): void {
  const cookies = planted.get(state);
  if (cookies === undefined) {
    sendText(response, 404, `One of: ${[...planted.keys()].join(', ')}`);
    return;
  }
  response.writeHead(302, {
    Location: `${originOf('app', port)}/login`,
    'Set-Cookie': [...cookies()],
    'Cache-Control': 'no-store',
  });
  response.end();
}

function sessionCookies(session: string, refresh: string): readonly string[] {
  return [
    `${cookiePrefix}-session=${encodeURIComponent(session)}; ${attributes}`,
    `${cookiePrefix}-session-refresh=${encodeURIComponent(refresh)}; ${attributes}`,
  ];
}

const setupCookie = (value: string): string => `${cookiePrefix}-session-setup=${value}; ${attributes}`;

/** Well formed in every respect but time; no service signed it, and the page does not ask. */
function expiredSession(): string {
  const exp = Math.floor(Date.now() / 1000) - 3600;
  const claims = {
    uid: '00000000-0000-4000-8000-000000000000',
    username: 'expired@payments.example',
    email: 'expired@payments.example',
    firstName: 'Eve',
    method: 'basic',
    isMfaSetup: false,
    personas: { ledger: [{ applicationUrl: `http://ledger.${familyDomain}/` }] },
    iat: exp - 900,
    exp,
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.${Buffer.alloc(64).toString('base64url')}`;
  return JSON.stringify({ authenticated: { token, refresh: 'expired-refresh-token' } });
}
