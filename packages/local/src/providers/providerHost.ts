import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { send, sendText, type HostHandler } from '../http/send.ts';
import { requestUrl } from '../hosts.ts';
import { sendPageFile, renderPage, type EnvironmentPage } from '../http/page.ts';
import type { ProviderBehaviour } from './behaviour.ts';
import { interact, type InteractionFacts } from './interactions.ts';
import { problemPage } from './pages.ts';
import type { Person } from './people.ts';
import type { ProviderName, ProviderRoutes } from '../registration.ts';

/** What the host of one provider is made from. */
interface ProviderHostFacts {
  readonly name: ProviderName;
  readonly provider: Provider;
  readonly people: readonly Person[];
  readonly routes: ProviderRoutes;
  readonly behaviour: () => ProviderBehaviour;
  /** The service's time, milliseconds since 1970. */
  readonly now: () => number;
  /** Origin of the application: where the forms of the pages end after their redirects. */
  readonly applicationOrigin: string;
}

/** The host of one provider: its pages, its endpoints, and the troubles that were asked for. */
export function providerHost(facts: ProviderHostFacts): HostHandler {
  const endpoints = facts.provider.callback();
  const interaction: InteractionFacts = { ...facts, send: sendPage };
  return async (request, response) => {
    const behaviour = facts.behaviour();
    if (behaviour.trouble === 'down') {
      request.socket.destroy();
      return;
    }
    // The socket stays open until the other side, or the environment, has had enough.
    if (behaviour.trouble === 'hang') return;
    response.setHeaders(new Headers(headersOf(facts.applicationOrigin, behaviour)));
    const { pathname } = requestUrl(request);
    if (/^\/interaction\/[\w-]+$/.test(pathname)) {
      await completeInteraction(interaction, request, response);
    } else if (pathname.startsWith('/local/')) {
      if (!sendPageFile(response, pathname)) sendText(response, 404, 'Not found.');
    } else {
      request.url = endpointUrl(facts, requestUrl(request));
      await endpoints(request, response);
    }
  };
}

/**
 * Where a request goes inside oidc-provider. Its OpenID configuration is at the root, that of this environment at the issuer's path.
 *
 * The Microsoft-type provider takes `user.read` for `openid profile email` as well. The application's scope is exactly
 * 'offline_access user.read' (docs/behaviour.md#authorization-request), together with a nonce, and a nonce has its place in an ID token, which OpenID Connect
 * gives for `openid` only; so the permission to read the user's profile is taken as the permission to receive it.
 */
function endpointUrl({ name, routes }: ProviderHostFacts, url: URL): string {
  if (url.pathname === routes.discovery) return `/.well-known/openid-configuration${url.search}`;
  // oidc-provider responds there for every issuer path; only ours is the issuer's.
  if (url.pathname.startsWith('/.well-known/')) return '/not-found';
  const scope = url.searchParams.get('scope')?.split(' ') ?? [];
  if (name === 'microsoft' && url.pathname === routes.authorization && scope.includes('user.read')) {
    url.searchParams.set('scope', [...new Set([...scope, 'openid', 'profile', 'email'])].join(' '));
  }
  return url.pathname + url.search;
}

async function completeInteraction(
  facts: InteractionFacts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await interact(facts, request, response);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SessionNotFound') throw error;
    sendPage(response, problemPage(facts.name, 'session_not_found', ''), 400);
  }
}

function sendPage(response: ServerResponse, page: EnvironmentPage, status = 200): void {
  send(response, status, { 'Content-Type': 'text/html; charset=utf-8' }, renderPage(page).markup);
}

/**
 * Headers of every response, redirects too: browsers compare the opener policy at each step. A form's redirects count for
 * `form-action`, and the last one leads to the application.
 */
function headersOf(applicationOrigin: string, { openerPolicy }: ProviderBehaviour): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "style-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      `form-action 'self' ${applicationOrigin}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    ...(openerPolicy === 'unsafe-none' ? {} : { 'Cross-Origin-Opener-Policy': openerPolicy }),
  };
}
