import { operationsOf, readContract } from '@vestibule/contract/document';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import type { Tables } from '../../src/core/database/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { createSecretBox } from '../../src/platform/security/secretBox.ts';
import { createSignedTokens } from '../../src/core/keys/signedTokens.ts';
import { loadSigningKeys } from '../../src/core/keys/signingKeys.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { waitForLockWaits } from '../support/lockWaits.ts';
import { newDatabase } from '../support/postgres.ts';
import { ada, encryptionKey, issuer, text, type TestService } from '../support/testService.ts';
import {
  Application,
  broughtBy,
  Browser,
  clientsOf,
  reports,
  sessionCookie,
  startProvider,
  tokensIn,
  type Tokens,
} from './application.ts';

let service: TestService;
let browser: Browser;
let application: Application;

beforeAll(async () => {
  service = await startProvider();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.directory.resetAll();
  browser = new Browser(service);
  application = new Application(service);
});

describe('a session that has ended', () => {
  beforeEach(async () => {
    await service.write();
  });

  const refreshOf = (): string => {
    const { authenticated } = JSON.parse(decodeURIComponent(browser.cookies.get(sessionCookie) ?? '')) as {
      authenticated: { refresh: string };
    };
    return authenticated.refresh;
  };

  /** Everything that the session has given is refused now. */
  const expectOver = async ({ access, refresh }: Tokens, code: string): Promise<void> => {
    expect(await application.isActive(access)).toBe(false);
    expect(await application.isActive(refresh)).toBe(false);
    expect((await application.userinfo(access)).status).toBe(401);
    expect((await application.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await application.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await browser.get(application.address())).location).toContain('/login?url=');
  };

  it.each<[string, (bearer: string) => Promise<unknown>]>([
    ['by a sign-out', () => service.post('/auth/v1/revoke', { refresh: refreshOf() })],
    [
      'on another device',
      async () => {
        const bearer = text(await service.signIn(), 'token');
        await service.post('/auth/v1/sessions/end', { others: true }, { bearer });
      },
    ],
    [
      'by a change of the password',
      async (bearer) => {
        const newPassword = 'New-secret8';
        const changed = await service.post(
          '/password-reset/v1/password-reset-manual',
          { newPassword, confirmPassword: newPassword, oldPassword: 'Correct-horse7', username: ada },
          { bearer },
        );
        expect(changed.status).toBe(200);
      },
    ],
    ['by `accounts disable`', () => service.directory.accounts.disable(ada)],
    ['by `accounts end-sessions`', () => service.directory.accounts.endSessions(ada)],
    ['by `accounts erase`', () => service.directory.accounts.remove(ada)],
    [
      'because a refresh token of the session was reused',
      async () => {
        const first = refreshOf();
        await service.refresh(first);
        const now = Date.now();
        const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 20_000);
        await service.refresh(first);
        clock.mockRestore();
      },
    ],
    [
      'by its time',
      () => {
        const now = Date.now();
        jest.spyOn(Date, 'now').mockImplementation(() => now + 86_400_000);
        return Promise.resolve();
      },
    ],
  ])('%s ends its codes, tokens and grants at once', async (_how, end) => {
    const bearer = await browser.signIn();
    const tokens = await application.tokens(browser);
    const code = await application.code(browser);
    expect(await application.isActive(tokens.access)).toBe(true);
    try {
      await end(bearer);
      await expectOver(tokens, code);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('has not ended while its token could be refreshed', async () => {
    await browser.signIn();
    const [stale, now] = [browser.cookies.get(sessionCookie) ?? '', Date.now()];
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 1_000_000);
    try {
      expect((await browser.get(application.address())).location).toContain('code=');
      // Nothing was used up, and a token that was replaced proves nothing.
      expect((await service.refresh(refreshOf())).status).toBe(200);
      browser.cookies.set(sessionCookie, stale);
      expect((await browser.get(application.address())).location).toContain('/login?url=');
      // Another tab may just have refreshed it.
      expect(browser.cookies.get(sessionCookie)).toBe(stale);
      clock.mockImplementation(() => now + 30_000_000);
      expect((await browser.get(application.address())).location).toContain('/login?url=');
    } finally {
      clock.mockRestore();
    }
  });

  it('loses its cookies with the next request, which the login page would otherwise send back again and again', async () => {
    await browser.signIn();
    await service.directory.accounts.endSessions(ada);
    const { location } = await browser.get(application.address());
    expect(location).toContain('/login?url=');
    expect(browser.cookies.has(sessionCookie)).toBe(false);
    // The cookie of the request itself stays.
    await browser.signIn();
    expect((await browser.get(new URL(location).searchParams.get('url') ?? '')).location).toContain('code=');
  });

  it('leaves the other sessions of the user alone', async () => {
    const other = new Browser(service);
    await other.signIn();
    const kept = await application.tokens(other);
    await browser.signIn();
    await application.tokens(browser);
    await service.post('/auth/v1/revoke', { refresh: refreshOf() });
    expect(await application.isActive(kept.access)).toBe(true);
  });
});

test('a client that is removed loses tokens, grants and consents, and no other client does', async () => {
  await using service = await startProvider([{ ...reports, id: 'kept', url: undefined }]);
  await service.write();
  const [fields] = clientsOf({ id: 'reports', url: undefined, consent: true });
  if (fields === undefined) throw new Error('There are no fields.');
  const { secretFile: _file, secretHash: _hash, ...client } = fields;
  const browser = new Browser(service);
  const bearer = await browser.signIn();
  const kept = await new Application(service, 'kept').tokens(browser);
  /** Connects the client. @returns a token. */
  const connected = async (secret: string | null): Promise<string> => {
    const application = new Application(service, 'reports', secret);
    const { location } = await browser.get(application.address());
    const id = /\/continue\/([^/?]+)$/.exec(location)?.[1] ?? '';
    const answer = await service.post(`/auth/v1/openid/requests/${id}`, { allow: true }, { bearer });
    const { code = '' } = broughtBy(await browser.get(String(answer.body['redirectUrl'])));
    return tokensIn((await application.exchange(code)).body).access;
  };
  const access = await connected((await service.directory.clients.add(client)).secret);
  await service.directory.clients.remove('reports');
  const { openidArtifacts } = await service.directory.accounts.exportPerson(ada);
  expect(openidArtifacts.map((row) => row.client)).not.toContain('reports');
  expect((await service.get('/oidc/userinfo', { bearer: access })).status).toBe(401);
  expect(await new Application(service, 'kept').isActive(kept.access)).toBe(true);

  // Another client with that id has to ask again, and gets nothing of the former one.
  const { secret } = await service.directory.clients.add(client);
  expect(await new Application(service, 'reports', secret).isActive(access)).toBe(false);
  expect(await connected(secret)).not.toBe(access);
});

test('a client is removed while several sessions that it is connected to end', async () => {
  const url = await newDatabase();
  await using service = await startProvider([], { database: { url } });
  await service.write();
  const [fields] = clientsOf({ id: 'reports', url: undefined });
  if (fields === undefined) throw new Error('There are no fields.');
  const { secretFile: _file, secretHash: _hash, ...client } = fields;
  const { secret } = await service.directory.clients.add(client);
  const application = new Application(service, 'reports', secret);
  const sids: unknown[] = [];
  for (let session = 0; session < 2; session++) {
    const browser = new Browser(service);
    await browser.signIn();
    sids.push((await application.tokens(browser)).claims['sid']);
  }
  const { db, close } = await connect<Tables>({ url }, silentLogger);
  const removing = await db.transaction().execute(async (trx) => {
    const end = (sid: unknown) =>
      sql`update sessions set ended_at = now(), end_reason = 'signOut' where id = ${sid}`.execute(trx);
    await end(sids[1]);
    const removed = service.directory.clients.remove('reports');
    await Promise.race([removed, waitForLockWaits(db)]);
    await end(sids[0]);
    return { removed };
  });
  await expect(removing.removed).resolves.toBeUndefined();
  const left = () => sql`select from openid_artifacts where client_id = 'reports'`.execute(db);
  while ((await left()).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await close();
});

test('a token with a client_id is no bearer, whatever else it holds', async () => {
  const url = await newDatabase();
  await using service = await startProvider([], { database: { url } });
  const { db, close } = await connect<Tables>({ url }, silentLogger);
  const keys = await loadSigningKeys(db, createSecretBox(encryptionKey), Date.now, silentLogger);
  const tokens = createSignedTokens({
    keys,
    issuer,
    now: Date.now,
    accessTokenSeconds: 900,
    setupTokenSeconds: 900,
  });
  const { bearer, uid } = await service.signedIn();
  const claims = decodeJwt(bearer);
  const signed = (more: object) =>
    tokens.sign('at+jwt', { ...claims, ...more }, new Date(Date.now() + 60_000));
  expect((await service.readUser(uid, signed({}))).status).toBe(200);
  expect((await service.readUser(uid, signed({ client_id: 'reports' }))).status).toBe(401);
  await close();
});

describe('tokens never pass for each other', () => {
  it.each([
    ['an access token', ({ access }: Tokens) => access],
    ['an ID token', ({ id }: Tokens) => id],
    ['a refresh token', ({ refresh }: Tokens) => refresh],
  ])('%s is no bearer of a call', async (_what, choose) => {
    const { uid } = await service.write();
    const own = await browser.signIn();
    const bearer = choose(await application.tokens(browser));
    expect((await service.readUser(uid, own)).status).toBe(200);
    const calls = operationsOf(readContract()).filter(({ needsBearer }) => needsBearer);
    expect(calls.length).toBeGreaterThan(20);
    for (const { id, method, path, requestExamples } of calls) {
      const [body] = Object.values(requestExamples ?? {});
      const ofUser = path.replace('{uid}', uid).replace(/\{\w+\}/, 'x');
      const { status } = await service.send(method.toUpperCase(), ofUser, { bearer, body });
      expect([id, status]).toEqual([id, 401]);
    }
    expect((await service.readUser(uid, own)).status).toBe(200);
    browser.keep({ token: bearer, refresh: bearer });
    expect((await browser.get(application.address())).location).toContain('/login?url=');
  });

  it('a session token is no token of OpenID', async () => {
    await service.write();
    const bearer = await browser.signIn();
    await application.tokens(browser);
    expect((await application.userinfo(bearer)).status).toBe(401);
    const refused = { status: 400, body: { error: 'unsupported_token_type' } };
    for (const path of ['/oidc/introspection', '/oidc/revocation'])
      expect(await application.post(path, { token: bearer })).toMatchObject(refused);
    expect((await service.get('/auth/v1/sessions', { bearer })).status).toBe(200);
    expect((await application.refresh(bearer)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await application.exchange(bearer)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('an ID token is no access token', async () => {
    await service.write();
    await browser.signIn();
    const { id } = await application.tokens(browser);
    expect((await application.userinfo(id)).status).toBe(401);
    expect((await application.post('/oidc/introspection', { token: id })).body).not.toHaveProperty('active');
  });

  it('nothing that is stored can be used', async () => {
    await service.write();
    await browser.signIn();
    const { access, refresh } = await application.tokens(browser);
    const exported = JSON.stringify(await service.directory.accounts.exportPerson(ada));
    expect(exported).toContain('RefreshToken');
    for (const token of [access, refresh]) expect(exported).not.toContain(token);
  });
});

itWith('notices')('a session that ends because its owner denies a notice ends its tokens', async () => {
  await using service = await startProvider(undefined, optionsOf('notices'));
  const { bearer } = await service.signedIn();
  const newPassword = 'New-secret8';
  const changed = await service.post(
    '/password-reset/v1/password-reset-manual',
    { newPassword, confirmPassword: newPassword, oldPassword: 'Correct-horse7', username: ada },
    { bearer },
  );
  expect(changed.status).toBe(200);
  const session = await service.signIn({ password: newPassword });
  const browser = new Browser(service);
  browser.keep({ token: text(session, 'token'), refresh: text(session, 'refresh') });
  const application = new Application(service);
  const { access, refresh } = await application.tokens(browser);
  const mail = await service.outbox.nextMail();
  const [, hash = ''] = /security-notice\/([\w-]+)/.exec(mail.text) ?? [];
  expect(await application.isActive(access)).toBe(true);
  expect((await service.post(`/auth/v1/notices/${hash}`, { mine: false })).status).toBe(200);
  expect(await application.isActive(access)).toBe(false);
  expect((await application.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
  expect((await browser.get(application.address())).location).toContain('/login?url=');
});
