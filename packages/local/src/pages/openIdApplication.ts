import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as openid from 'openid-client';
import { reports } from '../clients.ts';
import { originOf, requestUrl } from '../hosts.ts';
import { html, type Html } from '../http/html.ts';
import { loopbackFetch } from '../http/loopbackFetch.ts';
import { sendEnvironmentPage } from '../http/page.ts';
import { redirect, type HostHandler } from '../http/send.ts';

/** What the service has given. */
interface Visit {
  readonly tokens: Tokens;
  readonly claims: Claims;
  readonly idToken: string;
}

const attributes = 'Path=/; HttpOnly; SameSite=Lax';

type Claims = openid.IDToken & { readonly acr: string };
type User = openid.UserInfoResponse & Claims;
type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers;

const visitCookie = 'reports-visit';
/** Each sign-in in progress has a cookie of its own, with its verifier, so that several tabs can sign in at once. */
const startCookie = (state: string): string => `reports-start-${state}`;

/** Reports: an ordinary OpenID Connect client, as any library makes one. It uses neither the shared cookie nor the kit. */
export function openIdApplication(port: number): Readonly<Record<string, HostHandler>> {
  const own = originOf('reports', port);
  const visits = new Map<string, Visit>();
  const fetch = loopbackFetch(port);
  const discover = () =>
    openid.discovery(new URL(originOf('api', port)), reports.id, reports.secret, undefined, {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- It is marked so as a warning only: this environment has no TLS.
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: (url, request) => fetch(url, request as RequestInit),
    });
  const cookieIn = ({ headers }: IncomingMessage, name: string): string =>
    headers.cookie
      ?.split('; ')
      .find((one) => one.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? '';
  const idOf = (request: IncomingMessage): string => cookieIn(request, visitCookie);
  /** The user, with tokens that are renewed if they have expired; `null` if nobody is signed in or the session has ended. */
  const userOf = async (id: string, renews = false): Promise<User | null> => {
    const visit = visits.get(id);
    if (visit === undefined) return null;
    const client = await discover();
    try {
      const { refresh_token: refresh = '' } = visit.tokens;
      const isExpired = renews || (visit.tokens.expiresIn() ?? 0) <= 0;
      const tokens = isExpired ? await openid.refreshTokenGrant(client, refresh) : visit.tokens;
      visits.set(id, { ...visit, tokens });
      const { claims } = visit;
      return { ...claims, ...(await openid.fetchUserInfo(client, tokens.access_token, claims.sub)) };
    } catch (error) {
      if (!(
        error instanceof openid.ResponseBodyError || error instanceof openid.WWWAuthenticateChallengeError
      ))
        throw error;
      visits.delete(id);
      return null;
    }
  };
  return {
    '/': async (request, response) => {
      const renews = requestUrl(request).searchParams.has('renew');
      sendEnvironmentPage(response, page(port, await userOf(idOf(request), renews)));
    },
    '/sign-in': async (request, response) => {
      const verifier = openid.randomPKCECodeVerifier();
      const state = openid.randomState();
      const address = openid.buildAuthorizationUrl(await discover(), {
        // Any other parameter of a request, such as `prompt`, `max_age` or `login_hint`, can be tried out.
        ...Object.fromEntries(requestUrl(request).searchParams),
        redirect_uri: `${own}/callback`,
        scope: 'openid profile email offline_access',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });
      redirect(response, address.href, { 'Set-Cookie': `${startCookie(state)}=${verifier}; ${attributes}` });
    },
    '/callback': async (request, response) => {
      const here = new URL(own + requestUrl(request).pathname + requestUrl(request).search);
      const state = here.searchParams.get('state') ?? '';
      const verifier = cookieIn(request, startCookie(state));
      if (verifier !== '') {
        response.appendHeader('Set-Cookie', `${startCookie(state)}=; Max-Age=0; ${attributes}`);
        const checks = { pkceCodeVerifier: verifier, expectedState: state };
        const tokens = await openid.authorizationCodeGrant(await discover(), here, checks).catch(() => null);
        const claims = tokens?.claims() as Claims | undefined;
        if (tokens && claims) {
          const id = randomUUID();
          visits.delete(idOf(request));
          visits.set(id, { tokens, claims, idToken: tokens.id_token ?? '' });
          response.appendHeader('Set-Cookie', `${visitCookie}=${id}; ${attributes}`);
        }
      }
      redirect(response, '/');
    },
    '/sign-out': async (request, response) => {
      const visit = visits.get(idOf(request));
      visits.delete(idOf(request));
      redirect(
        response,
        openid.buildEndSessionUrl(await discover(), {
          post_logout_redirect_uri: `${own}/`,
          id_token_hint: visit?.idToken ?? '',
        }).href,
      );
    },
  };
}

function page(port: number, user: User | null) {
  const body: Html =
    user !== null
      ? html`<p>
            Signed in as <strong>${user.name ?? ''}</strong> (${user.email ?? ''}) at level ${user.acr}.
          </p>
          <p><a class="button" href="/sign-out">Sign out</a></p>`
      : html`<p>Nobody is signed in.</p>
          <p><a class="button" href="/sign-in">Sign in</a></p>`;
  return {
    title: 'Reports',
    kind: 'reports',
    body: html`<header>
        <h1>Reports</h1>
        <nav><a href="${originOf('start', port)}/">Start page</a></nav>
      </header>
      <main><section class="card">${body}</section></main>`,
  } as const;
}
