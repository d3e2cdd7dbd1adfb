/**
 * Applications on Node.js, with `openid-client` 6 or 5, or `express-openid-connect`. Arguments: the issuer, the port of the application, the
 * id of the client, which is the name of the library, and its secret.
 */
import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { auth } from 'express-openid-connect';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import * as openid5 from 'openid-client5';

const [issuer = '', port = '', clientId = '', secret = ''] = process.argv.slice(2);
const scope = 'openid profile offline_access';
const { lookup } = dns;
// Node does not resolve names below localhost everywhere.
dns.lookup = ((host: string, ...rest: [never, never]) => {
  lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...rest);
}) as typeof lookup;

interface Tokens {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}
/** The claims of the ID token. */
type Claims = { readonly sub: string; readonly [name: string]: unknown } | undefined;
type Checks = Readonly<Record<'verifier' | 'state', string>>;

/** What the two versions of `openid-client` do in different ways. */
interface Client {
  readonly authorizationUrl: (parameters: Readonly<Record<string, string>>) => string;
  readonly exchange: (address: URL, checks: Checks) => Promise<{ tokens: Tokens; claims: Claims }>;
  readonly refresh: (token: string) => Promise<Tokens>;
  readonly userinfo: (token: string, subject: string) => Promise<object>;
  readonly introspect: (token: string) => Promise<object>;
  readonly revoke: (token: string) => Promise<void>;
  readonly endSessionUrl: (parameters: Readonly<Record<string, string>>) => string;
}

async function createClient(): Promise<Client> {
  const client = await openid.discovery(
    new URL(issuer),
    clientId,
    undefined,
    openid.ClientSecretBasic(secret),
    { execute: [openid.allowInsecureRequests] },
  );
  return {
    authorizationUrl: (parameters) => openid.buildAuthorizationUrl(client, { ...parameters }).href,
    exchange: async (address, { verifier, state }) => {
      const tokens = await openid.authorizationCodeGrant(client, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
      return { tokens, claims: tokens.claims() };
    },
    refresh: (token) => openid.refreshTokenGrant(client, token),
    userinfo: (token, subject) => openid.fetchUserInfo(client, token, subject),
    introspect: (token) => openid.tokenIntrospection(client, token),
    revoke: (token) => openid.tokenRevocation(client, token),
    endSessionUrl: (parameters) => openid.buildEndSessionUrl(client, { ...parameters }).href,
  };
}

async function createClient5(): Promise<Client> {
  const { Client: Constructor } = await openid5.Issuer.discover(issuer);
  const client = new Constructor({ client_id: clientId, client_secret: secret, response_types: ['code'] });
  return {
    authorizationUrl: (parameters) => client.authorizationUrl(parameters),
    exchange: async ({ origin, pathname, searchParams }, { verifier, state }) => {
      const tokens = await client.callback(origin + pathname, Object.fromEntries(searchParams), {
        code_verifier: verifier,
        state,
      });
      return { tokens, claims: tokens.claims() };
    },
    refresh: (token) => client.refresh(token),
    userinfo: (token) => client.userinfo(token),
    introspect: (token) => client.introspect(token),
    revoke: (token) => client.revoke(token),
    endSessionUrl: (parameters) => client.endSessionUrl(parameters),
  };
}

const app = express().use(express.urlencoded({ extended: false }));

const answer =
  (handle: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  (request, response, next) => {
    handle(request, response).catch(next);
  };
/** Its own origin, under the name that the browser uses. */
const originOf = (request: Request): string => `http://${request.get('host') ?? ''}`;
const queryOf = (request: Request) => request.query as Readonly<Record<string, string>>;

function serve(client: Client): void {
  const begun = new Map<string, Checks>();
  const visits = new Map<string, { tokens: Tokens; readonly claims: Claims; readonly userinfo: object }>();
  const cookieOf = (request: Request) => /(?:^|; )visit=([^;]*)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  app.get(
    '/sign-in',
    answer(async (request, response) => {
      const id = randomUUID();
      const checks = { verifier: openid.randomPKCECodeVerifier(), state: openid.randomState() };
      begun.set(id, checks);
      response.cookie('visit', id, { sameSite: 'lax', httpOnly: true });
      const address = client.authorizationUrl({
        ...queryOf(request),
        redirect_uri: `${originOf(request)}/callback`,
        scope,
        state: checks.state,
        code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      response.redirect(address);
    }),
  );
  app.all(
    '/callback',
    answer(async (request, response) => {
      const given = request.method === 'POST' ? (request.body as Record<string, string>) : queryOf(request);
      const address = new URL(`${originOf(request)}/callback?${new URLSearchParams(given).toString()}`);
      const id = cookieOf(request);
      const { tokens, claims } = await client.exchange(address, begun.get(id) ?? { verifier: '', state: '' });
      const userinfo = await client.userinfo(tokens.access_token ?? '', claims?.sub ?? '');
      visits.set(id, { tokens, claims, userinfo });
      response.redirect('/');
    }),
  );
  app.get(
    '/me',
    answer(async (request, response) => {
      const visit = visits.get(cookieOf(request));
      if (visit && 'renew' in request.query)
        visit.tokens = { ...visit.tokens, ...(await client.refresh(visit.tokens.refresh_token ?? '')) };
      if (visit) response.json({ ...visit.tokens, id_token: visit.claims, userinfo: visit.userinfo });
      else response.sendStatus(401);
    }),
  );
  const tokenOf = (request: Request) =>
    visits.get(cookieOf(request))?.tokens[queryOf(request)['token'] as keyof Tokens] ?? '';
  app.get(
    '/introspect',
    answer(async (request, response) => {
      response.json(await client.introspect(tokenOf(request)));
    }),
  );
  app.get(
    '/revoke',
    answer(async (request, response) => {
      await client.revoke(tokenOf(request));
      response.end();
    }),
  );
  app.get('/sign-out', (request, response) => {
    const { id_token_hint = '' } = { id_token_hint: visits.get(cookieOf(request))?.tokens.id_token };
    visits.delete(cookieOf(request));
    const post_logout_redirect_uri = `${originOf(request)}/`;
    response.redirect(client.endSessionUrl({ id_token_hint, post_logout_redirect_uri }));
  });
  app.post(
    '/signed-out',
    answer(async ({ body }, response) => {
      const expected = { issuer, audience: clientId, typ: 'logout+jwt', algorithms: ['RS256'] };
      const { logout_token: token = '' } = body as { readonly logout_token?: string };
      const { payload } = await jwtVerify(token, keys, expected);
      for (const [id, { claims }] of visits) if (claims?.['sid'] === payload['sid']) visits.delete(id);
      response.end();
    }),
  );
  app.get('/frame', (_request, response) => {
    response.send('<iframe src="/sign-in?prompt=none&response_mode=form_post"></iframe>');
  });
  app.get('/', (request, response) => {
    const userinfo = visits.get(cookieOf(request))?.userinfo as openid.UserInfoResponse | undefined;
    response.send(`<h1>${clientId}</h1><p>${userinfo?.given_name ?? ''}</p>`);
  });
}

/** Express-openid-connect brings the addresses of its own. */
function serveExpress(): void {
  const kept = new Map<string, unknown>();
  const users = new Map<string, openid.UserInfoResponse>();
  app.use(
    auth({
      issuerBaseURL: issuer,
      baseURL: `http://127.0.0.1:${port}`,
      clientID: clientId,
      clientSecret: secret,
      secret,
      authorizationParams: { response_type: 'code', scope },
      authRequired: false,
      idpLogout: true,
      backchannelLogout: true,
      routes: {
        login: false,
        logout: '/sign-out',
        backchannelLogout: '/signed-out',
        postLogoutRedirect: '/',
      },
      session: {
        store: {
          get: (id, done) => {
            done(null, structuredClone(kept.get(id)) as never);
          },
          set: (id, value, done) => {
            kept.set(id, value);
            done?.(null);
          },
          destroy: (id, done) => {
            kept.delete(id);
            done?.(null);
          },
        },
      },
    }),
  );
  app.get(
    '/sign-in',
    answer((request, response) =>
      response.oidc.login({ authorizationParams: queryOf(request), returnTo: '/' }),
    ),
  );
  app.get(
    '/me',
    answer(async ({ oidc, query }, response) => {
      const { idTokenClaims: claims, accessToken: token } = oidc;
      if (claims === undefined || token === undefined) {
        response.sendStatus(401);
        return;
      }
      const { access_token } = 'renew' in query ? await token.refresh() : token;
      const userinfo = users.get(claims.sub) ?? (await oidc.fetchUserInfo());
      users.set(claims.sub, userinfo);
      response.json({ access_token, refresh_token: oidc.refreshToken, id_token: claims, userinfo });
    }),
  );
  app.get('/', (_request, response) => {
    response.send(`<h1>${clientId}</h1>`);
  });
}

async function run(): Promise<void> {
  if (clientId === 'express-openid-connect') serveExpress();
  else serve(await (clientId === 'openid-client-5' ? createClient5() : createClient()));
  app.listen(Number(port), '127.0.0.1');
}

void run();
