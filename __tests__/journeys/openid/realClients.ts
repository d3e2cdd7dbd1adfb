import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type APIResponse, type FrameLocator, type Page } from '@playwright/test';
import type * as Jose from 'jose';
import type { UserManager } from 'oidc-client-ts';
import * as v from 'valibot';
import { usualClient } from '@vestibule/local';
import { startProgram } from '@vestibule/service/testing/proxies';
import { findApache, findAuthlib } from '../../../scripts/setup/programs.mjs';
import type { ServiceSettings } from '../support/runEnvironment';

type Client = NonNullable<ServiceSettings['clients']>[number];

/** The applications with a server of their own. */
const serverNames = [
  'apache',
  'authlib',
  'openid-client',
  'openid-client-5',
  'express-openid-connect',
] as const;
export type ServerName = (typeof serverNames)[number];
/** All applications. */
export const applicationNames = [...serverNames, 'browser'] as const;
/** Some libraries encode its last characters for Basic (RFC 6749 §2.3.1), and others do not. */
const secret = `${randomBytes(32).toString('base64url')}+%2B:%`;

/** Hosts of the page with `oidc-client-ts`: on the site of the service, and on another one. */
const browserHosts = { sameSite: 'console.payments.localhost', otherSite: 'console.localhost' } as const;

/** The host of the family at which `openid-client` has a frame. */
const familyHost = 'orders.payments.localhost';

/** The ports of all applications of a test. */
export type Ports = Readonly<Record<(typeof applicationNames)[number], number>>;

const usualPaths = {
  signIn: '/sign-in',
  stepUp: '/sign-in?acr_values=urn:vestibule:2',
  me: '/me',
  renew: '/me?renew',
  signOut: () => '/sign-out',
  afterSignOut: '/',
  backchannel: '/signed-out',
};

/** The paths of each server application, below its origin. */
const pathsOf = {
  apache: {
    signIn: '/',
    stepUp: '/vault.html',
    me: '/callback?info=json',
    renew: '/callback?info=json&access_token_refresh_interval=0',
    signOut: (own: string) => `/callback?logout=${encodeURIComponent(`${own}/bye.html`)}`,
    afterSignOut: '/bye.html',
    backchannel: '/callback?logout=backchannel',
  },
  authlib: usualPaths,
  'openid-client': usualPaths,
  'openid-client-5': usualPaths,
  'express-openid-connect': usualPaths,
} as const;

const originAt = (port: number): string => `http://127.0.0.1:${port}`;

/** The clients, as the service has to know them. */
export function clientsAt(ports: Ports): readonly Client[] {
  const origins = Object.values(browserHosts).map((host) => `http://${host}:${ports.browser}`);
  return [
    ...serverNames.map((name) => ({
      ...usualClient,
      id: name,
      name,
      secretHash: [`sha256:${createHash('sha256').update(secret).digest('hex')}`],
      redirectUris: [
        `${originAt(ports[name])}/callback`,
        ...(name === 'openid-client' ? [`http://${familyHost}:${ports[name]}/callback`] : []),
      ],
      postLogoutRedirectUris: [`${originAt(ports[name])}${pathsOf[name].afterSignOut}`],
      backchannelLogoutUri: `${originAt(ports[name])}${pathsOf[name].backchannel}`,
    })),
    {
      ...usualClient,
      id: 'oidc-client-ts',
      name: 'Browser',
      redirectUris: origins.map((origin) => `${origin}/callback`),
      postLogoutRedirectUris: origins.map((origin) => `${origin}/`),
    },
  ];
}

type Token = 'access_token' | 'refresh_token';

const visitSchema = v.object({
  access_token: v.string(),
  refresh_token: v.string(),
  id_token: v.looseObject({ acr: v.string(), sid: v.string() }),
  userinfo: v.looseObject({ given_name: v.string() }),
});

/** An application with a server of its own, in one browser. */
export class ServerApplication {
  private readonly origin: string;
  private readonly paths: (typeof pathsOf)[ServerName];

  constructor(
    private readonly page: Page,
    name: ServerName,
    port: number,
  ) {
    this.origin = originAt(port);
    this.paths = pathsOf[name];
  }

  async signIn(): Promise<void> {
    await this.page.goto(this.origin + this.paths.signIn);
  }

  async stepUp(): Promise<void> {
    await this.page.goto(this.origin + this.paths.stepUp);
  }

  /** Ends the session by way of the service. @returns the address to which that leads back. */
  async signOut(): Promise<string> {
    await this.page.goto(this.origin + this.paths.signOut(this.origin));
    return this.origin + this.paths.afterSignOut;
  }

  /** What it knows of the user, without a call to the service; `null`: nobody is signed in. */
  me() {
    return this.read(this.paths.me);
  }

  /** The same, after it has renewed its tokens. */
  renew() {
    return this.read(this.paths.renew);
  }

  /** Opens several of its pages at once, for each of which Apache renews the tokens. @returns the statuses. */
  async openTogether(count: number): Promise<readonly number[]> {
    const responses = Array.from({ length: count }, () => this.get('/fresh.html'));
    return (await Promise.all(responses)).map((response) => response.status());
  }

  /** Whether the service says that one of its tokens is active. */
  async isActive(token: Token): Promise<boolean> {
    const response = await this.get(`/introspect?token=${token}`);
    return v.parse(v.object({ active: v.boolean() }), await response.json()).active;
  }

  async revoke(token: Token): Promise<void> {
    expect((await this.get(`/revoke?token=${token}`)).status()).toBe(200);
  }

  /** Opens a page with a hidden frame, on a host of the family, that signs in without a question. @returns the frame. */
  async openFrame(): Promise<FrameLocator> {
    await this.page.goto(`http://${familyHost}:${new URL(this.origin).port}/frame`);
    return this.page.frameLocator('iframe');
  }

  private async read(where: string): Promise<v.InferOutput<typeof visitSchema> | null> {
    const response = await this.get(where);
    return response.status() === 401 ? null : v.parse(visitSchema, await response.json());
  }

  private get(where: string): Promise<APIResponse> {
    return this.page.context().request.get(this.origin + where, { maxRedirects: 0 });
  }
}

/** Starts an application. @returns how to stop it. */
export async function startApplication(
  name: keyof Ports,
  issuer: string,
  port: number,
): Promise<() => Promise<void>> {
  if (name === 'apache') return await startApache(issuer, port);
  if (name === 'browser') return await serveBrowserPage(issuer, port);
  const own = (file: string) => [path.join(__dirname, file), issuer, String(port), name, secret];
  const [program, args] =
    name === 'authlib'
      ? [findAuthlib(), own('flaskApplication.py')]
      : [process.execPath, ['--import', 'tsx', ...own('nodeApplication.ts')]];
  return await startProgram(program, args, { folder: tmpdir(), port }, 'SIGKILL');
}

/** Apache with mod_auth_openidc. Its workers run as another user where root starts it. */
async function startApache(issuer: string, port: number): Promise<() => Promise<void>> {
  const { program, modules } = findApache() ?? { program: null, modules: '' };
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-apache-'));
  const pages = path.join(folder, 'pages');
  chmodSync(folder, 0o755);
  mkdirSync(pages);
  for (const name of ['index', 'vault', 'fresh', 'bye'])
    writeFileSync(path.join(pages, `${name}.html`), '<h1>Apache</h1>');
  const file = path.join(folder, 'apache.conf');
  const loaded = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'auth_openidc'];
  writeFileSync(
    file,
    `ServerRoot ${folder}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
User www-data
Group www-data
${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
DocumentRoot ${pages}
DirectoryIndex index.html
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID apache
OIDCClientSecret ${secret}
OIDCCryptoPassphrase ${secret}
OIDCRedirectURI ${originAt(port)}/callback
OIDCScope "openid profile offline_access"
OIDCPKCEMethod S256
OIDCIDTokenSignedResponseAlg RS256
OIDCInfoHook access_token refresh_token id_token userinfo
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
<Location /vault.html>
  Require claim acr:urn:vestibule:2
  OIDCUnAutzAction auth
  OIDCPathAuthRequestParams acr_values=urn:vestibule:2
</Location>
<Location /fresh.html>
  OIDCRefreshAccessTokenBeforeExpiry 86400 logout_on_error
</Location>
<Location /bye.html>
  AuthType none
  Require all granted
</Location>
`,
  );
  const stop = await startProgram(program, ['-f', file, '-D', 'FOREGROUND'], { folder, port }, 'SIGTERM');
  return async () => {
    await stop();
    rmSync(folder, { recursive: true });
  };
}

declare const manager: UserManager;
declare const jose: typeof Jose;

const { resolve } = createRequire(__filename);
const bundle = path.resolve(resolve('oidc-client-ts'), '../../browser/oidc-client-ts.min.js');
const joseFolder = path.dirname(resolve('jose'));

/** A page that has nothing but `oidc-client-ts`, and `jose` to verify signatures. Its tabs share their tokens. */
async function serveBrowserPage(issuer: string, port: number): Promise<() => Promise<void>> {
  const html = `<!doctype html><title>Browser</title><script src="/oidc-client-ts.js"></script><script type="module">
import * as jose from '/jose/index.js';
window.jose = jose;
</script><script>
const manager = new oidc.UserManager({
  authority: '${issuer}',
  client_id: 'oidc-client-ts',
  redirect_uri: location.origin + '/callback',
  post_logout_redirect_uri: location.origin + '/',
  scope: 'openid profile offline_access',
  loadUserInfo: true,
  filterProtocolClaims: false,
  automaticSilentRenew: false,
  revokeTokensOnSignout: true,
  userStore: new oidc.WebStorageStateStore({ store: localStorage }),
});
if (location.pathname === '/callback')
  manager.signinCallback().then((user) => user && location.replace('/'));
</script>`;
  const server = createServer(({ url = '' }, response) => {
    const [, module] = /^\/jose\/([\w/]+\.js)$/.exec(url) ?? [];
    const script = module === undefined ? bundle : path.join(joseFolder, module);
    const isScript = module !== undefined || url === '/oidc-client-ts.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(script) : html);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close().closeAllConnections();
    await closed;
  };
}

/** The page with `oidc-client-ts` in a tab. */
export class BrowserApplication {
  private readonly home: string;

  /** @param site whether its host is on the site of the service. */
  constructor(
    private readonly page: Page,
    site: keyof typeof browserHosts,
    port: number,
  ) {
    this.home = `http://${browserHosts[site]}:${port}/`;
  }

  async open(): Promise<void> {
    await this.page.goto(this.home);
  }

  private async leaves(): Promise<void> {
    await this.page.waitForEvent('framenavigated', (frame) => frame === this.page.mainFrame());
  }

  /** @param request parameters of the authorization request. */
  async signIn(request: Readonly<Parameters<UserManager['signinRedirect']>[0]> = {}): Promise<void> {
    const left = this.leaves();
    await this.page.evaluate((given) => void manager.signinRedirect(given), request);
    await left;
  }

  async untilBack(): Promise<void> {
    await this.page.waitForURL(this.home);
  }

  async signOut(): Promise<void> {
    const left = this.leaves();
    await this.page.evaluate(() => void manager.signoutRedirect());
    await left;
    await this.untilBack();
  }

  /** What it knows of the user. */
  async user() {
    return await this.page.evaluate(async () => {
      const user = await manager.getUser();
      return user === null ? null : { token: user.access_token, ...user.profile };
    });
  }

  /** Verifies its ID token with the keys of the service. @returns the algorithm. */
  async verify(): Promise<string | undefined> {
    return await this.page.evaluate(async () => {
      const { metadataService, settings } = manager;
      const keys = jose.createRemoteJWKSet(new URL((await metadataService.getKeysEndpoint()) ?? ''));
      const { id_token: token = '' } = (await manager.getUser()) ?? {};
      const expected = { issuer: await metadataService.getIssuer(), audience: settings.client_id };
      return (await jose.jwtVerify(token, keys, expected)).protectedHeader.alg;
    });
  }

  /** Revokes its tokens. @returns the status of the service's answer to a call with the former access token. */
  async revoke(): Promise<number> {
    return await this.page.evaluate(async () => {
      const { access_token: token = '' } = (await manager.getUser()) ?? {};
      await manager.revokeTokens();
      const address = await manager.metadataService.getUserInfoEndpoint();
      return (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).status;
    });
  }

  /**
   * Renews its tokens.
   *
   * @param how with the refresh token, or in a hidden frame
   * @returns the code of the error, or `null`.
   */
  async renew(how: 'token' | 'frame'): Promise<string | null> {
    return await this.page.evaluate(
      (forceIframeAuth) =>
        manager.signinSilent({ forceIframeAuth }).then(
          () => null,
          (reason: unknown) => (reason as { readonly error: string }).error,
        ),
      how === 'frame',
    );
  }
}
