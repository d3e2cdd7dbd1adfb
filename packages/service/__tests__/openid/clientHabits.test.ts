import { createHash } from 'node:crypto';
import Provider from 'oidc-provider';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { ada, type TestService } from '../support/testService.ts';
import { Application, broughtBy, Browser, read, reports, startProvider } from './application.ts';

const spaced = 'https://reports.example.com/callback?a=b%20c&d=%7E';
const oddSecret = 'a+b%c:d%2B-0123456789-0123456789-0123456789';

describe('clients as people use them', () => {
  let service: TestService;
  let browser: Browser;
  let application: Application;

  beforeAll(async () => {
    service = await startProvider([
      { ...reports, redirectUris: ['https://reports.example.com/callback', spaced] },
      { ...reports, id: 'ledger-only', url: undefined, persona: 'ledger' },
      { id: 'odd', url: undefined, secretHash: `sha256:${hashOfToken(oddSecret)}` },
      { id: 'treasury', url: undefined, dpop: true, secretHash: reports.secretHash },
    ]);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await service.directory.resetAll();
    await service.write();
    browser = new Browser(service);
    application = new Application(service);
  });

  it.each(['/.well-known/jwks.json', '/.well-known/openid-configuration'])(
    'read %s from any origin, and ask for its head',
    async (path) => {
      const headers = { Origin: 'https://spa.example.org' };
      const got = await fetch(service.url + path, { headers });
      expect([got.status, got.headers.get('access-control-allow-origin')]).toEqual([
        200,
        expect.stringMatching(/^(\*|https:\/\/spa\.example\.org)$/),
      ]);
      const head = await fetch(service.url + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );

  it('revoke tokens, with an answer that is empty and has no type', async () => {
    await browser.signIn();
    const { access, refresh } = await application.tokens(browser);
    for (const token of [access, refresh, 'unknown']) {
      const { status, text, headers } = await application.post('/oidc/revocation', { token });
      expect([status, text, headers.get('content-type')]).toEqual([200, '', null]);
    }
    expect(await application.isActive(access)).toBe(false);
    expect((await application.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('find their registered address byte by byte', async () => {
    await browser.signIn();
    const granted = await browser.get(application.address({ redirect_uri: spaced }));
    expect(granted.location.startsWith(`${spaced}&code=`)).toBe(true);
    const refused = await browser.get(application.address({ redirect_uri: spaced, scope: 'openid openid2' }));
    expect(refused.location.startsWith(`${spaced}&`)).toBe(true);
    expect(broughtBy(granted)).toMatchObject({ state: 'state-1' });
  });

  it('renew by form_post in a frame of the family, without a page', async () => {
    await browser.signIn();
    const asked = { response_mode: 'form_post', prompt: 'none' };
    const silent = await browser.get(application.address(asked));
    const policy = silent.headers.get('content-security-policy') ?? '';
    expect(silent.text).toContain('name="code"');
    expect(policy).toContain('frame-ancestors http://payments.localhost:* http://*.payments.localhost:*');
    const shown = await browser.get(application.address({ response_mode: 'form_post' }));
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it.each([
    ['as it is', oddSecret],
    ['encoded', encodeURIComponent(oddSecret)],
  ])('send a secret with +, %% and : by Basic %s', async (_what, sent) => {
    const ask = async (secret: string) =>
      read(
        await fetch(`${service.url}/oidc/introspection`, {
          method: 'POST',
          headers: { Authorization: `Basic ${Buffer.from(`odd:${secret}`).toString('base64')}` },
          body: new URLSearchParams({ token: 'x' }),
        }),
      );
    expect((await ask(sent)).body).toEqual({ active: false });
    expect((await ask(`${sent}x`)).body).toMatchObject({ error: 'invalid_client' });
  });

  it('hear that the proof of a key is missing', async () => {
    await browser.signIn();
    const treasury = new Application(service, 'treasury');
    const { status, body } = await treasury.exchange(await treasury.code(browser));
    expect([status, body['error']]).toEqual([400, 'invalid_dpop_proof']);
  });

  it('have no tokens of a person who has lost their persona, at once', async () => {
    await browser.signIn();
    const ledger = new Application(service, 'ledger-only');
    const { access, refresh } = await ledger.tokens(browser);
    expect(await ledger.isActive(access)).toBe(true);
    await service.write({ personas: {} });
    expect(await ledger.isActive(access)).toBe(false);
    expect((await ledger.userinfo(access)).status).toBe(401);
    expect((await ledger.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('may not introspect the tokens of others, also without an address', async () => {
    await browser.signIn();
    const { access } = await application.tokens(browser);
    expect(await new Application(service, 'ledger-only').isActive(access)).toBe(false);
    expect(await application.isActive(access)).toBe(true);
  });

  it('ask a person without a second step for a higher level once, also with prompt=none', async () => {
    const bearer = await browser.signIn();
    const asked = { acr_values: 'urn:vestibule:2' };
    const silent = () => browser.get(application.address({ ...asked, prompt: 'none' }));
    expect(broughtBy(await silent())).toMatchObject({ error: 'login_required' });
    const { location } = await browser.get(application.address(asked));
    const [, id = ''] = /\/continue\/([^/]+)$/.exec(location) ?? [];
    const authVerificationToken = await service.verified(bearer);
    const { body } = await service.post(
      `/auth/v1/openid/requests/${id}`,
      { allow: true, authVerificationToken },
      { bearer },
    );
    expect(broughtBy(await browser.get(String(body['redirectUrl'])))).toHaveProperty('code');
    const { claims } = await application.tokens(browser, asked);
    expect(claims).toMatchObject({ acr: 'urn:vestibule:1', amr: ['pwd'] });
    expect(broughtBy(await silent())).toHaveProperty('code');
  });

  it('do not ask a person without a second step again for a higher level after a sign-in', async () => {
    const asked = { acr_values: 'urn:vestibule:2' };
    const { location } = await browser.get(application.address(asked));
    await browser.signIn();
    const back = new URL(location).searchParams.get('url') ?? '';
    expect(broughtBy(await browser.get(back))).toHaveProperty('code');
    const silent = await browser.get(application.address({ ...asked, prompt: 'none' }));
    expect(broughtBy(silent)).toHaveProperty('code');
    // The cookie of the library may be lost.
    browser.cookies.delete('payments-test-openid-session /');
    expect(broughtBy(await browser.get(application.address(asked)))).toHaveProperty('code');
  });

  it('refuse another person than that of id_token_hint, also after a sign-in', async () => {
    await service.write({ username: 'grace@example.com', email: 'grace@example.com' });
    await browser.signIn();
    const { id } = await application.tokens(browser);
    const other = new Browser(service);
    const { location } = await other.get(application.address({ id_token_hint: id }));
    await other.signIn('grace@example.com');
    const back = new URL(location).searchParams.get('url') ?? '';
    expect(broughtBy(await other.get(back))).toMatchObject({ error: 'login_required' });
  });

  it('sign out by a form of another site, which brings no cookie', async () => {
    await browser.signIn();
    const form = new URLSearchParams({ client_id: 'reports', state: 'x' });
    const posted = await read(
      await fetch(`${service.url}/oidc/logout`, { method: 'POST', body: form, redirect: 'manual' }),
    );
    expect([posted.status, posted.location]).toEqual([303, '/oidc/logout?client_id=reports&state=x']);
    const asked = await browser.get(`${posted.location}&prompt=none`);
    expect(asked.text).toContain('Do you want to sign out?');
    expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('let a person choose the account: prompt=select_account', async () => {
    const bearer = await browser.signIn();
    const { location } = await browser.get(application.address({ prompt: 'select_account' }));
    const [, id = ''] = /\/continue\/([^/]+)$/.exec(location) ?? [];
    const request = await service.get(`/auth/v1/openid/requests/${id}`, { bearer });
    expect(request.body).toMatchObject({ needs: [], secondStep: null });
    const { body } = await service.post(`/auth/v1/openid/requests/${id}`, { allow: true }, { bearer });
    expect(broughtBy(await browser.get(String(body['redirectUrl'])))).toHaveProperty('code');
    const { location: fresh } = await new Browser(service).get(
      application.address({ prompt: 'select_account' }),
    );
    expect(fresh).toContain('/login?url=');
  });

  it('get nothing for a session of the library whose owner has another session now', async () => {
    await browser.signIn();
    const { claims } = await application.tokens(browser);
    await service.directory.accounts.endSessions(ada);
    expect((await browser.get(application.address())).location).toContain('/login?url=');
    await service.write({ username: 'grace@example.com', email: 'grace@example.com' });
    await browser.signIn('grace@example.com');
    const next = await application.tokens(browser);
    expect(next.claims.sub).not.toBe(claims.sub);
    expect(next.claims['sid']).not.toBe(claims['sid']);
  });
});

test('the members of the library that are replaced are those that were read', () => {
  const { Client, IdToken, ReplayDetection } = new Provider('https://api.example.com');
  const { unique } = ReplayDetection as unknown as { readonly unique: () => unknown };
  const members = [Client.prototype.compareClientSecret, IdToken.validate, unique];
  const hashes = members.map((member: (...given: never[]) => unknown) =>
    createHash('sha256').update(member.toString()).digest('hex').slice(0, 16),
  );
  expect(hashes).toEqual(['2b1e1b3dc430672f', '264a5880c6c18dbe', '490c135be4b4526d']);
});
