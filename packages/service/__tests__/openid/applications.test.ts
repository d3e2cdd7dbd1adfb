import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import type { Tables } from '../../src/core/database/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { waitForLockWaits } from '../support/lockWaits.ts';
import { newDatabase } from '../support/postgres.ts';
import { ada, text, type TestService } from '../support/testService.ts';
import { Application, Browser, createListener, reports, startProvider, tokensIn } from './application.ts';

const grace = 'grace';
const partner = {
  ...reports,
  ...{ id: 'partner', name: 'Partner portal', url: undefined, consent: true },
  scopes: ['profile', 'email'],
};

describe('connected applications', () => {
  const listener = createListener();
  let service: TestService;
  let browser: Browser;
  let application: Application;
  let portal: Application;

  beforeAll(async () => {
    service = await startProvider([{ ...reports, backchannelLogoutUri: await listener.start() }, partner]);
  });
  afterAll(async () => {
    await service.close();
    await listener.stop();
  });
  beforeEach(async () => {
    await service.directory.resetAll();
    await service.write();
    browser = new Browser(service);
    application = new Application(service);
    portal = new Application(service, 'partner');
    listener.tokens.length = 0;
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const list = async (bearer: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { status, body } = await service.get('/auth/v1/openid/applications', { bearer });
    expect(status).toBe(200);
    return (body as { applications: readonly Readonly<Record<string, unknown>>[] }).applications;
  };
  const idsOf = async (bearer: string) => (await list(bearer)).map(({ id }) => id);
  const disconnect = (id: string, bearer: string) =>
    service.post(`/auth/v1/openid/applications/${id}/disconnect`, {}, { bearer });
  const scope = 'openid profile email';
  /** Signs in to the portal, with consent where it is asked for. @returns whether it was. */
  const enterPortal = async (bearer: string, by = browser): Promise<boolean> => {
    const { location } = await by.get(portal.address({ scope }));
    const [, id] = /\/continue\/([^/?]+)$/.exec(location) ?? [];
    if (id === undefined) return false;
    const answered = await service.post(`/auth/v1/openid/requests/${id}`, { allow: true }, { bearer });
    expect((await by.get(text(answered, 'redirectUrl'))).location).toContain('code=');
    return true;
  };
  const wait = (seconds: number): void => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + seconds * 1000);
  };

  it('are none before a sign-in to one, then those of the session, newest first, with what they see', async () => {
    const bearer = await browser.signIn();
    expect(await list(bearer)).toEqual([]);
    const before = Date.now();
    await application.tokens(browser, { scope: 'openid offline_access email' });
    wait(60);
    await enterPortal(bearer);
    const [second, first] = await list(bearer);
    expect(second).toMatchObject({ id: 'partner', name: 'Partner portal', url: null, logo: null });
    expect(second?.['scopes']).toEqual(['profile', 'email']);
    expect(first).toMatchObject({ id: 'reports', url: 'https://reports.example.com' });
    expect(first?.['scopes']).toEqual(['email', 'offline_access']);
    const at = Date.parse(String(first?.['connectedAt']));
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThan(before + 30_000);
  });

  it('stay for another session of the user, since the first sign-in', async () => {
    const bearer = await browser.signIn();
    await application.tokens(browser);
    const [first] = await list(bearer);
    wait(60);
    const other = new Browser(service);
    const later = await other.signIn();
    await application.tokens(other);
    expect(await list(later)).toEqual([first]);
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer: later });
    const [left] = await list(later);
    expect(left?.['connectedAt']).not.toBe(first?.['connectedAt']);
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer });
    expect((await service.get('/auth/v1/openid/applications', { bearer })).status).toBe(401);
  });

  it('are connected since the first sign-in also after a request for more, and what they see grows', async () => {
    const bearer = await browser.signIn();
    const before = await application.tokens(browser, { scope: 'openid email' });
    const [first] = await list(bearer);
    wait(60);
    await application.tokens(browser, { scope: 'openid profile' });
    expect(await list(bearer)).toEqual([{ ...first, scopes: ['profile', 'email'] }]);
    expect(await application.isActive(before.access)).toBe(true);
    await application.tokens(browser, { scope: 'openid email' });
    expect(await list(bearer)).toEqual([{ ...first, scopes: ['profile', 'email'] }]);
  });

  it('are those with a consent after the session has ended, and those without one are not', async () => {
    const bearer = await browser.signIn();
    await application.tokens(browser);
    await enterPortal(bearer);
    const next = text(await service.signIn(), 'token');
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer: next });
    expect(await idsOf(next)).toEqual(['partner']);
  });

  it('are of one person only', async () => {
    await service.write({ username: grace, email: 'grace@example.com' });
    await browser.signIn();
    await application.tokens(browser);
    const bearer = text(await service.signIn({ username: grace }), 'token');
    expect(await list(bearer)).toEqual([]);
    expect((await disconnect('reports', bearer)).status).toBe(404);
  });

  it('that are disconnected lose everything of all sessions, and the sessions go on', async () => {
    const bearer = await browser.signIn();
    const other = new Browser(service);
    const otherBearer = await other.signIn();
    const tokens = [await application.tokens(browser), await application.tokens(other)];
    const code = await application.code(browser);
    await enterPortal(bearer);
    await service.write({ username: grace, email: 'grace@example.com' });
    const stranger = new Browser(service);
    await stranger.signIn(grace);
    const kept = await application.tokens(stranger);

    expect((await disconnect('reports', bearer)).status).toBe(200);
    for (const { access, refresh } of tokens) {
      expect(await application.isActive(access)).toBe(false);
      expect(await application.isActive(refresh)).toBe(false);
      expect((await application.userinfo(access)).status).toBe(401);
      expect((await application.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    }
    expect((await application.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await application.isActive(kept.access)).toBe(true);
    for (const one of [bearer, otherBearer]) expect(await idsOf(one)).toEqual(['partner']);
    expect((await disconnect('reports', bearer)).status).toBe(404);
    // The session of the family signs in again without a page.
    expect((await application.userinfo((await application.tokens(browser)).access)).status).toBe(200);
    expect(await idsOf(bearer)).toEqual(['reports', 'partner']);
  });

  it('hear of it by a logout token for each session, and not of the end of the session again', async () => {
    const bearer = await browser.signIn();
    const other = new Browser(service);
    await other.signIn();
    const sids = [await application.tokens(browser), await application.tokens(other)].map(
      ({ claims }) => claims['sid'],
    );
    const { uid } = await service.signedIn();
    await disconnect('reports', bearer);
    await listener.until(2);
    const claims = listener.tokens.map((token) => decodeJwt(token));
    expect(claims.map(({ sid }) => sid).sort()).toEqual(sids.sort());
    for (const { aud, sub } of claims) expect([aud, sub]).toEqual(['reports', uid]);
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer });
    await service.directory.accounts.endSessions(ada);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(listener.tokens).toHaveLength(2);
  });

  it('ask for consent again after they were disconnected', async () => {
    const bearer = await browser.signIn();
    expect(await enterPortal(bearer)).toBe(true);
    expect(await enterPortal(bearer)).toBe(false);
    await disconnect('partner', bearer);
    expect(await list(bearer)).toEqual([]);
    expect(await enterPortal(bearer)).toBe(true);
  });

  it.each(['unknown', 'partner'])('that are not connected are 404: %s', async (id) => {
    const bearer = await browser.signIn();
    await application.tokens(browser);
    const { status, body } = await disconnect(id, bearer);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      error: { code: 'not_found', message: 'This application is not connected.' },
    });
    expect(await idsOf(bearer)).toEqual(['reports']);
  });

  it('need the session of the user', async () => {
    await browser.signIn();
    const { access } = await application.tokens(browser);
    expect((await service.get('/auth/v1/openid/applications', { bearer: access })).status).toBe(401);
    expect((await disconnect('reports', access)).status).toBe(401);
  });

  it('stand in the activity and in the export of the person', async () => {
    const bearer = await browser.signIn();
    await application.tokens(browser, { scope });
    expect(await service.directory.accounts.exportPerson(ada)).toMatchObject({
      openidApplications: [
        { client: 'reports', scopes: ['profile', 'email'], connectedAt: expect.any(Date) as Date },
      ],
    });
    await disconnect('reports', bearer);
    const { body } = await service.get('/auth/v1/activity', { bearer });
    expect((body as { events: readonly unknown[] }).events[0]).toMatchObject({
      kind: 'application-disconnected',
      method: null,
    });
    expect(await service.directory.accounts.exportPerson(ada)).toMatchObject({ openidApplications: [] });
    const { auditLog } = await service.directory.accounts.exportPerson(ada);
    expect(auditLog.filter(({ event }) => event === 'openid-disconnect')).toMatchObject([
      { method: 'reports', outcome: 'success' },
    ]);
  });
});

it('a request for more, in the middle of which its application is disconnected, connects it again', async () => {
  const url = await newDatabase();
  await using service = await startProvider([reports], { database: { url } });
  await service.write();
  const browser = new Browser(service);
  const bearer = await browser.signIn();
  const application = new Application(service);
  await application.tokens(browser, { scope: 'openid' });
  const disconnect = () => service.post('/auth/v1/openid/applications/reports/disconnect', {}, { bearer });
  const { db, close } = await connect<Tables>({ url }, silentLogger);
  const [disconnecting, requesting] = await db.transaction().execute(async (trx) => {
    // What was disconnected is written there last.
    await sql`lock table audit_log in exclusive mode`.execute(trx);
    const first = disconnect();
    await waitForLockWaits(db);
    const second = application.code(browser, { scope: 'openid email' });
    await waitForLockWaits(db, 2);
    return [first, second] as const;
  });
  expect((await disconnecting).status).toBe(200);
  const { access } = tokensIn((await application.exchange(await requesting)).body);
  expect(await application.isActive(access)).toBe(true);
  expect((await disconnect()).status).toBe(200);
  expect(await application.isActive(access)).toBe(false);
  await close();
});
