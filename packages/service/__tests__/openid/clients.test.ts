import { decodeProtectedHeader } from 'jose';
import { aDate } from '../support/matchers.ts';
import type { TestService } from '../support/testService.ts';
import { Application, Browser, reports, secret, startProvider } from './application.ts';

describe('a client', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    const unsaid = { scopes: undefined, url: undefined };
    service = await startProvider([
      { ...reports, ...unsaid },
      { ...reports, ...unsaid, id: 'new', idTokenAlgorithm: 'ES256', scopes: ['email'] },
    ]);
    await service.write();
    browser = new Browser(service);
    await browser.signIn();
  });
  afterAll(() => service.close());

  it('gets ID tokens by RS256 and refresh tokens unless its fields say otherwise', async () => {
    const { id, refresh, claims } = await new Application(service).tokens(browser, {
      scope: 'openid email offline_access',
    });
    expect(decodeProtectedHeader(id)).toMatchObject({ alg: 'RS256' });
    expect(refresh).toMatch(/^[\w-]{43}$/);
    expect(claims).toMatchObject({ aud: 'reports' });
  });

  it('gets ID tokens by ES256 if it asks for them, and no refresh token without the scope', async () => {
    const { id, refresh } = await new Application(service, 'new').tokens(browser, {
      scope: 'openid email offline_access',
    });
    expect(decodeProtectedHeader(id)).toMatchObject({ alg: 'ES256' });
    expect(refresh).toBe('undefined');
  });
});

describe('the refused requests of a client', () => {
  let service: TestService;
  let application: Application;

  beforeEach(async () => {
    service = await startProvider([reports, { ...reports, id: 'other', url: undefined }]);
    application = new Application(service);
  });
  afterEach(() => service.close());
  const logged = () =>
    service.log
      .entries()
      .flatMap(({ event, fields }) => (event === 'openid request refused' ? [fields] : []));

  it('are logged and listed with the reason, newest first, without codes and secrets', async () => {
    await new Application(service, 'reports', 'guessed-secret-0123456789').exchange('some-code-1');
    await application.exchange('some-code-2');
    await application.exchange('some-code-3');
    await application.post('/oidc/request', {
      ...{ response_type: 'code', client_id: 'reports', scope: 'openid' },
      redirect_uri: 'https://elsewhere.example.com/',
    });
    await application.post('/oidc/revocation', {});
    await new Application(service, 'nobody').exchange('some-code-4');
    const elsewhere = "redirect_uri did not match any of the client's registered redirect_uris";
    const refusals = [
      ['revocation', 'invalid_request', "missing required parameter 'token'", 1],
      ['pushed_authorization_request', 'invalid_request', elsewhere, 1],
      ['token', 'invalid_grant', 'authorization code not found', 2],
      ['token', 'invalid_client', 'invalid secret provided', 1],
    ] as const;
    expect(await service.directory.openid.refusalsOf('reports')).toEqual(
      refusals.map(([endpoint, error, reason, times]) => ({ at: aDate, endpoint, error, reason, times })),
    );
    expect(await service.directory.openid.refusalsOf('other')).toEqual([]);
    await expect(service.directory.openid.refusalsOf('nobody')).rejects.toThrow(
      "There is no client 'nobody'.",
    );
    expect(logged()).toHaveLength(6);
    expect(logged()[1]).toEqual({
      ...{ client: 'reports', endpoint: 'token', error: 'invalid_grant' },
      reason: 'authorization code not found',
    });
    expect(logged()[5]).toMatchObject({ client: null, error: 'invalid_client', reason: 'client not found' });
    for (const hidden of ['some-code', secret, 'guessed-secret'])
      expect(service.log.text()).not.toContain(hidden);
  });

  it('leave out what a user or a session decides', async () => {
    await new Browser(service).get(application.address({ prompt: 'none' }));
    expect(await service.directory.openid.refusalsOf('reports')).toEqual([]);
    await new Browser(service).get(application.address({ redirect_uri: 'https://elsewhere.example.com/' }));
    expect(await service.directory.openid.refusalsOf('reports')).toMatchObject([
      { endpoint: 'authorization', error: 'invalid_redirect_uri' },
    ]);
  });

  it('are at most 50, whatever strangers send', async () => {
    const send = (n: number) =>
      application.post(
        '/oidc/token',
        { grant_type: 'refresh_token' },
        { Origin: `https://s${n}.example.com` },
      );
    for (let n = 0; n < 60; n += 1) await send(n);
    const kept = await service.directory.openid.refusalsOf('reports');
    expect(kept).toHaveLength(50);
    expect(kept[0]?.reason).toBe('origin https://s59.example.com not allowed for client: reports');
    expect(kept.at(-1)?.reason).toBe('origin https://s10.example.com not allowed for client: reports');
  });
});
