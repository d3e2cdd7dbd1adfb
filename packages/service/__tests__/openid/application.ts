import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import * as v from 'valibot';
import { deployedClients } from '../../src/core/clientFields.ts';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { optionsOf } from '../support/extensions.ts';
import { createPostListener } from '../support/postListener.ts';
import { issuer, startTestService, text, type TestService } from '../support/testService.ts';

export const secret = 'secret-of-the-reports-application-0123456789';
export const callback = 'https://reports.example.com/callback';
/** Name and path. */
export const sessionCookie = 'payments-test-session /';
export const scope = 'openid profile email applications offline_access';

/** The clients of a test; each has what it names. */
export const clientsOf = (...clients: readonly object[]) =>
  v.parse(
    deployedClients,
    clients.map((client) => ({
      name: 'Reports',
      url: 'https://reports.example.com',
      redirectUris: [callback],
      postLogoutRedirectUris: ['https://reports.example.com/bye'],
      scopes: ['profile', 'email', 'applications', 'offline_access'],
      ...client,
    })),
  );

export const reports = { id: 'reports', secretHash: `sha256:${hashOfToken(secret)}` };

/** A service with OpenID, with the clock of the machine: the library has no other one. */
export const startProvider = (
  clients: readonly object[] = [reports],
  options: Parameters<typeof startTestService>[0] = {},
): Promise<TestService> =>
  startTestService({
    ...optionsOf('openid'),
    clients: clientsOf(...clients),
    now: () => Date.now(),
    ...options,
  });

export interface Response_ {
  readonly status: number;
  readonly location: string;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A browser: it keeps the cookies of the service, by name and path. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(readonly service: TestService) {}

  async get(address: string): Promise<Response_> {
    return this.request('GET', address);
  }

  async request(method: string, address: string, body?: URLSearchParams): Promise<Response_> {
    const url = new URL(address, this.service.url);
    const cookie = [...this.cookies]
      .map(([key, value]) => [...key.split(' '), value])
      .filter(([, path = '/']) => path === '/' || url.pathname === path)
      .map(([name, , value]) => `${name ?? ''}=${value ?? ''}`)
      .join('; ');
    const response = await fetch(`${this.service.url}${url.pathname}${url.search}`, {
      method,
      redirect: 'manual',
      headers: { Cookie: cookie },
      ...(body === undefined ? {} : { body }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      const key = `${name} ${/path=([^;]+)/i.exec(set)?.[1] ?? '/'}`;
      if (/expires=Thu, 01 Jan 1970|Max-Age=0/i.test(set)) this.cookies.delete(key);
      else this.cookies.set(key, value);
    }
    const location = response.headers.get('location') ?? '';
    // The service decides there whether the user is needed.
    return /\/oidc\/(?:interaction|auth)\//.test(location.split('?')[0] ?? '')
      ? this.get(location)
      : read(response);
  }

  /** Stores the session as the page does. */
  keep(session: { readonly token: string; readonly refresh: string }): void {
    this.cookies.set(sessionCookie, encodeURIComponent(JSON.stringify({ authenticated: session })));
  }

  /** Agrees on the page to continue. @param bearer the session token. */
  async agree({ location }: Response_, bearer: string): Promise<Response_> {
    const [, id] = /\/continue\/([^/?]+)$/.exec(location) ?? [];
    if (id === undefined) throw new Error(`${location} is not the page to continue`);
    const answered = await this.service.post(`/auth/v1/openid/requests/${id}`, { allow: true }, { bearer });
    return this.get(text(answered, 'redirectUrl'));
  }

  /** Signs in with the password. @returns the session token. */
  async signIn(username?: string): Promise<string> {
    const response = await this.service.signIn(username === undefined ? {} : { username });
    this.keep({ token: text(response, 'token'), refresh: text(response, 'refresh') });
    return text(response, 'token');
  }
}

export async function read(response: Response): Promise<Response_> {
  const content = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    headers: response.headers,
    text: content,
    body: isJson ? (JSON.parse(content) as Record<string, unknown>) : {},
  };
}

/** An application: it makes requests and exchanges codes. */
export class Application {
  readonly verifier = randomBytes(32).toString('base64url');

  constructor(
    readonly service: TestService,
    readonly id = 'reports',
    readonly secret: string | null = 'secret-of-the-reports-application-0123456789',
  ) {}

  /** The address of an authorization request. A parameter that is `undefined` is left out. */
  address(changes: Readonly<Record<string, string | undefined>> = {}): string {
    const parameters = {
      client_id: this.id,
      response_type: 'code',
      redirect_uri: callback,
      scope,
      state: 'state-1',
      nonce: 'nonce-1',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries<string | undefined>(parameters).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    return `/oidc/auth?${new URLSearchParams(given).toString()}`;
  }

  /** Pushes an authorization request (RFC 9126). @param form with what authenticates the client. */
  push(form: Readonly<Record<string, string>> = {}): Promise<Response_> {
    const parameters = new URLSearchParams(this.address().split('?')[1]);
    return this.post('/oidc/request', { ...Object.fromEntries(parameters), ...form });
  }

  /** The address of a pushed request. @param client_id who asks. */
  pushedAddress({ body }: Response_, client_id = this.id): string {
    const parameters = { client_id, request_uri: String(body['request_uri']) };
    return `/oidc/auth?${new URLSearchParams(parameters).toString()}`;
  }

  /** The code that a signed-in browser brings without a page. */
  async code(browser: Browser, changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const { location } = await browser.get(this.address(changes));
    const code = new URL(location).searchParams.get('code');
    if (code === null) throw new Error(`There is no code in ${location}`);
    return code;
  }

  async post(path: string, form: Readonly<Record<string, string>>, headers: object = {}): Promise<Response_> {
    const basic = Buffer.from(`${this.id}:${this.secret ?? ''}`).toString('base64');
    const own = this.secret === null ? { client_id: this.id } : {};
    return read(
      await fetch(`${this.service.url}${path}`, {
        method: 'POST',
        headers: { ...(this.secret === null ? {} : { Authorization: `Basic ${basic}` }), ...headers },
        body: new URLSearchParams({ ...own, ...form }),
      }),
    );
  }

  exchange(code: string, changes: Readonly<Record<string, string>> = {}, headers: object = {}) {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: this.verifier,
    };
    return this.post('/oidc/token', { ...form, ...changes }, headers);
  }

  refresh(token: string, changes: Readonly<Record<string, string>> = {}) {
    return this.post('/oidc/token', { grant_type: 'refresh_token', refresh_token: token, ...changes });
  }

  /** Signs in with a browser that has a session. */
  async tokens(
    browser: Browser,
    changes: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Tokens> {
    const { status, text: content, body } = await this.exchange(await this.code(browser, changes));
    if (status !== 200) throw new Error(`The token call has status ${status}: ${content}`);
    return tokensIn(body);
  }

  async isActive(token: string): Promise<unknown> {
    return (await this.post('/oidc/introspection', { token })).body['active'];
  }

  async userinfo(token: string): Promise<Response_> {
    const headers = { Authorization: `Bearer ${token}` };
    return read(await fetch(`${this.service.url}/oidc/userinfo`, { headers }));
  }
}

export interface Tokens {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
  readonly claims: JWTPayload;
}

export function tokensIn(body: Readonly<Record<string, unknown>>): Tokens {
  const [access, id, refresh] = ['access_token', 'id_token', 'refresh_token'].map((name) =>
    String(body[name]),
  );
  return { access: access ?? '', id: id ?? '', refresh: refresh ?? '', claims: decodeJwt(id ?? '') };
}

/** The parameters that a redirect brings to the application. */
export const broughtBy = ({ location }: Response_): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(location).searchParams);

/** The server of an application, which hears of the ends of sessions. */
export const createListener = () => createPostListener('logout_token');

export { issuer };
