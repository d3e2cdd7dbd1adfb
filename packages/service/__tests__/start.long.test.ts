import { once } from 'node:events';
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { createService } from '../src/index.ts';
import { openMailbox, type Mailbox } from './support/mailbox.ts';
import { newDatabase } from './support/postgres.ts';
import { ask, createTestDeployment } from './support/testDeployment.ts';
import { account, ada, encryptionKey } from './support/testService.ts';
import { environmentOf, minimal, serve } from './support/vestibule.ts';

describe('a process of the service', () => {
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
  });
  afterAll(async () => {
    await mailbox.close();
  });

  it('answers, sends mails over SMTP, serves metrics apart, and stops cleanly on a signal', async () => {
    const url = await newDatabase();
    const { directory, close } = await createService({
      database: { url },
      issuer: minimal.ISSUER,
      allowedOrigins: [minimal.ALLOWED_ORIGINS],
      encryptionKey,
      passwordHash: { memoryKib: 1024, passes: 1 },
    });
    await directory.accounts.upsert(account());
    await close();
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const mails = { SMTP_URL: mailbox.url, MAIL_FROM: 'Payments <no-reply@example.com>' };
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort), DRAIN_SECONDS: '1' };
    const service = serve({ ...environmentOf(url), ...mails, ...ports });
    await service.until('"event":"listening"');
    const response = await fetch(`http://127.0.0.1:${port}/auth/v1/method/unknown`);
    expect([response.status, await response.json()]).toEqual([200, []]);
    const scrape = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(scrape).toContain(
      'vestibule_request_duration_seconds_count{operation="getLoginMethods",status="200"} 1',
    );
    expect(scrape).toContain('nodejs_eventloop_lag_p99_seconds');
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
    await fetch(`http://127.0.0.1:${port}/password-reset/v1/forgot-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ada }),
    });
    const { mail } = await mailbox.nextMail();
    expect(mail.from).toEqual({ name: 'Payments', address: 'no-reply@example.com' });
    expect(mail.text).toContain('https://login.example.com/reset-password/');
    expect(await service.end('SIGTERM')).toEqual([0, null]);
  });

  it('that starts before its database waits for it, then listens, and ends although the database no longer responds', async () => {
    const url = new URL(await newDatabase());
    const socket = `${url.searchParams.get('host') ?? ''}/.s.PGSQL.5432`;
    const [port = 0, databasePort = 0] = await freePorts(2);
    const address = `postgres://postgres@127.0.0.1:${databasePort}${url.pathname}`;
    const service = serve({ ...environmentOf(address), PORT: String(port) });
    await service.until('"event":"waiting for the database","reason":"DATABASE_URL: connect ECONNREFUSED');
    const { database, silence, close } = databaseBehind(socket);
    await once(database.listen(databasePort, '127.0.0.1'), 'listening');
    await service.until('"event":"listening"');
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    silence();
    const begun = performance.now();
    expect(await service.end('SIGTERM')).toEqual([0, null]);
    expect(performance.now() - begun).toBeLessThan(28_000);
    close();
  });

  it('logs nothing below its level', async () => {
    const [port = 0] = await freePorts(1);
    const variables = environmentOf(await newDatabase());
    const service = serve({ ...variables, PORT: String(port), LOG_LEVEL: 'warn' });
    // Said after the service listens.
    await service.until('text messages are not sent');
    await fetch(`http://127.0.0.1:${port}/auth/v1/method/unknown`);
    await service.end('SIGTERM');
    expect(service.said().match(/"level":"\w+"/g)).toEqual(['"level":"warn"', '"level":"warn"']);
  });

  it('speaks TLS with its certificate, and plain http in no case when half of it is missing', async () => {
    const { folder, remove } = await createTestDeployment();
    const [port = 0] = await freePorts(1);
    const variables = { ...environmentOf(await newDatabase()), PORT: String(port) };
    const certificate = { TLS_CERTIFICATE_FILE: `${folder}/cert.pem` };
    const key = { TLS_KEY_FILE: `${folder}/key.pem` };
    const service = serve({ ...variables, ...certificate, ...key });
    await service.until('"event":"listening"');
    const { status } = await ask({ httpsPort: port }, 'api.example.test', '/ready');
    expect(status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${port}/ready`)).rejects.toThrow();
    await service.end('SIGTERM');
    for (const [half, missing] of [
      [certificate, 'TLS_KEY_FILE is not set.'],
      [key, 'TLS_CERTIFICATE_FILE is not set.'],
      [{ ...certificate, TLS_KEY_FILE: `${folder}/cert.pem` }, 'are no certificate and its key'],
    ] as const)
      expect(await endOf({ ...variables, ...half })).toContain(missing);
    remove();
  });

  it('ends when it cannot listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const [other] = await freePorts(1);
    const ports = { PORT: String(other), METRICS_PORT: String(port) };
    expect(await endOf({ ...environmentOf(await newDatabase()), ...ports })).toContain('EADDRINUSE');
    taken.close();
  });

  it('reports what is missing and exits with an error', async () => {
    expect(await endOf({ ISSUER: minimal.ISSUER })).toContain(
      'ALLOWED_ORIGINS is not set. See packages/service/README.md.',
    );
  });
});

/** The log of a process that ends with an error. */
async function endOf(variables: Record<string, string>): Promise<string> {
  const { gone, said } = serve(variables);
  expect(await gone).toEqual([1, null]);
  return said();
}

/** A server that passes connections on to the socket of the database, until it is silent. */
function databaseBehind(socket: string) {
  const pairs: (readonly [Socket, Socket])[] = [];
  const database = createServer((client) => {
    const server = connectTo(socket);
    for (const pair of [[client, server] as const, [server, client] as const]) {
      const [from, to] = pair;
      pairs.push(pair);
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  const silence = () => {
    for (const [from, to] of pairs) from.unpipe(to);
  };
  /** A silent connection is not read any more, so that its end would not be noticed. */
  const close = () => {
    database.close();
    for (const [from] of pairs) from.destroy();
  };
  return { database, silence, close };
}
