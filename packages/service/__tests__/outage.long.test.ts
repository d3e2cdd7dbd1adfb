import { setTimeout as pause } from 'node:timers/promises';
import { ownPostgres } from './support/postgres.ts';
import { startTestService, type TestResponse, type TestService, text } from './support/testService.ts';

type Server = Awaited<ReturnType<typeof ownPostgres>>;

describe('while the database', () => {
  let server: Server;
  let service: TestService;
  let refresh: string;
  let uid: string;
  let bearer: string;

  beforeAll(async () => {
    // The crash must lose no session.
    server = await ownPostgres(['listen_addresses=']);
    service = await startTestService({ database: { url: server.url } });
  });
  afterAll(async () => {
    server.thaw();
    await service.close();
    await server.stop();
  });
  beforeEach(async () => {
    await service.directory.resetAll();
    ({ uid } = await service.write());
    const session = await service.signIn();
    [refresh, bearer] = [text(session, 'refresh'), text(session, 'token')];
  });

  const calls: Readonly<Record<string, () => Promise<TestResponse>>> = {
    'a sign-in': () => service.signIn(),
    'a refresh': () => service.refresh(refresh),
    'a read': () => service.readUser(uid, bearer),
    'a forgotten password': () => service.forgot(),
    'the readiness': () => service.get('/ready'),
  };

  const expectRefusals = async (): Promise<void> => {
    // A restart is waited for, and so is a failover: the first callers wait for six seconds.
    const begun = service.log.entries().length;
    const isKnown = () =>
      service.log
        .entries()
        .slice(begun)
        .some(({ event }) => event === 'stopped: the database does not respond');
    while (!isKnown()) await pause(20);
    for (const [name, call] of Object.entries(calls)) {
      const begun = performance.now();
      const { status, headers, body } = await call();
      const milliseconds = performance.now() - begun;
      expect([name, status]).toEqual([name, 503]);
      if (name !== 'the readiness')
        expect([headers.get('Retry-After'), body['error']]).toEqual([
          '5',
          expect.objectContaining({ code: 'unavailable' }),
        ]);
      // Below the limit of a connection (3 s), also on a busy machine.
      expect(milliseconds).toBeLessThan(1000);
    }
  };

  const expectService = async (): Promise<void> => {
    const back = performance.now();
    for (let { status } = await service.refresh(refresh); status !== 200;) {
      expect([status, performance.now() - back < 5000]).toEqual([503, true]);
      await pause(20);
      ({ status } = await service.refresh(refresh));
    }
    expect((await service.get('/ready')).status).toBe(200);
  };

  it('is stopped, callers are refused at once, and served as soon as it is back', async () => {
    await server.crash();
    await expectRefusals();
    await server.restart();
    await expectService();
  });

  it('hangs, callers are refused at once, and served as soon as it responds', async () => {
    server.freeze();
    const begun = performance.now();
    expect((await service.get('/ready')).status).toBe(503);
    // Before the outage is known, after six seconds.
    expect(performance.now() - begun).toBeLessThan(5000);
    await expectRefusals();
    server.thaw();
    await expectService();
  });
});
