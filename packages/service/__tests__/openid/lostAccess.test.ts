import { decodeJwt } from 'jose';
import { ada, type TestService } from '../support/testService.ts';
import { Application, Browser, createListener, reports, startProvider } from './application.ts';

const personas = { staff: [{ applicationUrl: 'https://reports.example.com/' }] };

describe('a person who loses access', () => {
  const [listener, others] = [createListener(), createListener()];
  let service: TestService;
  let browser: Browser;
  let uid: string;

  beforeAll(async () => {
    service = await startProvider([
      { ...reports, persona: 'staff', backchannelLogoutUri: await listener.start() },
      { ...reports, id: 'open', url: undefined, backchannelLogoutUri: await others.start() },
    ]);
  });
  afterAll(async () => {
    await service.close();
    await listener.stop();
    await others.stop();
  });
  beforeEach(async () => {
    await service.directory.resetAll();
    ({ uid } = await service.write({ personas }));
    browser = new Browser(service);
    await browser.signIn();
    listener.tokens.length = 0;
    others.tokens.length = 0;
  });

  it('by another persona: that application is told at once and gets nothing more, the session goes on', async () => {
    const [application, open] = [new Application(service), new Application(service, 'open')];
    const { access, refresh, claims } = await application.tokens(browser);
    const kept = await open.tokens(browser);
    await service.write({ personas: { ...personas, other: personas.staff } });
    expect(await application.isActive(access)).toBe(true);
    expect(listener.tokens).toEqual([]);

    await service.write({ personas: {} });
    await listener.until(1);
    expect(decodeJwt(listener.tokens[0] ?? '')).toMatchObject({
      sub: uid,
      sid: claims['sid'],
      aud: 'reports',
    });
    expect(await application.isActive(access)).toBe(false);
    expect((await application.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await open.isActive(kept.access)).toBe(true);
    expect(others.tokens).toEqual([]);
    // It is no longer connected, and is not told again.
    await service.directory.accounts.endSessions(ada);
    await others.until(1);
    expect(listener.tokens).toHaveLength(1);
  });

  it.each([
    ['because the account is disabled', () => service.directory.accounts.disable(ada)],
    ['because the account is removed', () => service.directory.accounts.remove(ada)],
    [
      'because the account is written with another password',
      () => service.write({ password: 'Other-horse7' }),
    ],
  ])('%s: every application is told at once', async (_why, lose) => {
    const [application, open] = [new Application(service), new Application(service, 'open')];
    const { access } = await application.tokens(browser);
    await open.tokens(browser);
    await lose();
    await listener.until(1);
    await others.until(1);
    expect(decodeJwt(listener.tokens[0] ?? '')).toMatchObject({ sub: uid });
    expect(await application.isActive(access)).toBe(false);
  });
});
