import { ownPostgres } from '../support/postgres.ts';
import { Application, Browser, startProvider, type Response_ } from './application.ts';

test('while the database does not respond, and before the service has noticed it, each endpoint asks callers to retry later', async () => {
  // The crash must lose nothing.
  const server = await ownPostgres(['listen_addresses=']);
  await using service = await startProvider(undefined, { database: { url: server.url } });
  try {
    await service.write();
    const [browser, application] = [new Browser(service), new Application(service)];
    await browser.signIn();
    const { access, refresh } = await application.tokens(browser);
    const code = await application.code(browser);
    const pushed = await application.push();
    const address = application.address();
    const calls: Readonly<Record<string, () => Promise<Response_>>> = {
      authorization: () => browser.get(address),
      'authorization without a session': () => new Browser(service).get(address),
      'a pushed request': () => browser.get(application.pushedAddress(pushed)),
      'an unknown client': () => browser.get(application.address({ client_id: 'unknown' })),
      'an interaction': () => browser.get('/oidc/interaction/unknown'),
      'a code': () => application.exchange(code),
      'a refresh': () => application.refresh(refresh),
      userinfo: () => application.userinfo(access),
      introspection: () => application.post('/oidc/introspection', { token: access }),
      revocation: () => application.post('/oidc/revocation', { token: refresh }),
      'pushing a request': () => application.push(),
      logout: () => browser.get('/oidc/logout'),
    };
    const expectRefusals = async (): Promise<void> => {
      const answers = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const { status, headers, location } = await call();
          return [name, status, headers.get('retry-after'), location, headers.getSetCookie()];
        }),
      );
      expect(answers).toEqual(Object.keys(calls).map((name) => [name, 503, '5', '', []]));
    };
    await server.crash();
    await expectRefusals();
    const known = performance.now();
    await expectRefusals();
    expect(performance.now() - known).toBeLessThan(5000);
    await server.restart();
    while ((await service.get('/ready')).status !== 200);
    expect((await application.refresh(refresh)).status).toBe(200);
    expect((await application.exchange(code)).status).toBe(200);
  } finally {
    await server.stop();
  }
});
