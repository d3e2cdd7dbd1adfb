import type { Tables } from '../../src/core/database/tables.ts';
import { createLiveEvents } from '../../src/events/liveEvents.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { allOf, ended, openStream, type EventStream } from '../support/eventStreams.ts';
import { newDatabase, withClient } from '../support/postgres.ts';
import { sms } from '../support/secondStep.ts';
import { ada, describeService, startTestService, text, type TestService } from '../support/testService.ts';

const changed = (what: string) => `event: account-changed\ndata: {"what":["${what}"]}`;

describeService('live events', (service) => {
  const endOthers = async () => {
    const bearer = text(await service.signIn(), 'token');
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer });
  };
  const reset = async () => {
    const { id } = await service.directory.links.reset(ada);
    await service.reset(id);
  };

  it.each([
    ['ended-elsewhere', 'another device ends it', endOthers],
    [
      'ended-elsewhere',
      'an administrator ends all access',
      () => service.directory.accounts.endSessions(ada),
    ],
    ['ended-elsewhere', 'the account is erased', () => service.directory.accounts.remove(ada)],
    ['locked', 'an administrator disables the account', () => service.directory.accounts.disable(ada)],
    ['password-changed', 'the password is reset', reset],
  ])('the stream says %s and ends when %s', async (reason, _what, work) => {
    const { bearer } = await service.signedIn();
    const stream = await openStream(service, bearer);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    // nginx would hold events back.
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    await work();
    expect((await allOf(stream)).at(-1)).toBe(ended(reason));
    expect((await openStream(service, bearer)).status).toBe(401);
  });

  it('says reused when a refresh token is sent again too late', async () => {
    await service.write();
    const { refresh, token } = (await service.signIn()).body;
    await service.refresh(String(refresh));
    service.passSeconds(60);
    const stream = await openStream(service, String(token));
    await service.refresh(String(refresh));
    expect(await allOf(stream)).toEqual([ended('reused')]);
  });

  it('ends without an event when the user signs out, because the browser knows', async () => {
    await service.write();
    const { refresh, token } = (await service.signIn()).body;
    const stream = await openStream(service, String(token));
    await service.post('/auth/v1/revoke', { refresh });
    expect(await allOf(stream)).toEqual([]);
  });

  it('reports changes of the account, and none of other accounts', async () => {
    const { bearer } = await service.signedIn();
    const stream = await openStream(service, bearer);
    await service.write({ username: 'grace@example.com', email: 'grace@example.com' });
    await service.directory.accounts.change(ada, { firstName: 'Augusta' });
    expect(await stream.next()).toBe(changed('profile'));
    await service.directory.accounts.trustDevice(ada);
    expect(await stream.next()).toBe(changed('sessions'));
    await stream.close();
  });

  it('reports to the other sessions of the account, and to none that ends, that sessions have ended', async () => {
    const { bearer } = await service.signedIn();
    const others = [await service.signIn(), await service.signIn(), await service.signIn()] as const;
    const kept = await openStream(service, bearer);
    const streams = await Promise.all(others.map((other) => openStream(service, text(other, 'token'))));
    await service.post('/auth/v1/revoke', { refresh: others[0].body['refresh'] });
    expect(await kept.next()).toBe(changed('sessions'));
    await service.post('/auth/v1/sessions/end', { others: true }, { bearer });
    // One event for the two sessions that end together.
    expect(await kept.next()).toBe(changed('sessions'));
    await service.directory.accounts.endSessions(ada);
    expect(await allOf(kept)).toEqual([ended('ended-elsewhere')]);
    const last = [changed('sessions'), ended('ended-elsewhere')];
    expect(await Promise.all(streams.map(allOf))).toEqual([[], last, last]);
  });

  it('the stream begins with the version of the account that was read, which a sign-in leaves alone', async () => {
    const { bearer, uid } = await service.signedIn();
    const read = (await service.readUser(uid, bearer)).body;
    const versions = [];
    for (const one of [bearer, text(await service.signIn(), 'token'), bearer]) {
      const stream = await openStream(service, one);
      versions.push(await stream.first());
      await stream.close();
    }
    expect(versions).toEqual(Array(3).fill(`id: ${String(read['accountVersion'])}`));
    expect(read['accountVersion']).toMatch(/^\S+$/);
  });

  it.each<[string, (uid: string) => Promise<unknown>]>([
    ['the profile', () => service.directory.accounts.change(ada, { firstName: 'Augusta' })],
    ['the password', () => service.write({ lastReset: new Date(service.now()) })],
    ['a trusted device', () => service.directory.accounts.trustDevice(ada)],
    ['two-step verification', () => service.write({ mfa: sms })],
    [
      'the other sessions',
      async () => {
        const { refresh } = (await service.signIn()).body;
        await service.post('/auth/v1/revoke', { refresh });
      },
    ],
  ])('the version is another one after a change of %s', async (_what, change) => {
    const { bearer, uid } = await service.signedIn();
    const version = async () => (await service.readUser(uid, bearer)).body['accountVersion'];
    const before = await version();
    await change(uid);
    const after = await version();
    expect(after).not.toBe(before);
    expect(await version()).toBe(after);
  });

  it('the eleventh stream of a session ends the first', async () => {
    const { bearer } = await service.signedIn();
    const streams: EventStream[] = [];
    for (let count = 0; count < 11; count += 1) streams.push(await openStream(service, bearer));
    expect(await streams[0]?.next()).toBeNull();
    await Promise.all(streams.slice(1).map(({ close }) => close()));
  });
});

it('a process that stops ends its streams, and another process receives its announcements', async () => {
  const url = await newDatabase();
  const [one, other] = [
    await startTestService({ database: { url } }),
    await startTestService({ database: { url } }),
  ];
  const { bearer } = await one.signedIn();
  const [here, there] = [await openStream(one, bearer), await openStream(other, bearer)];
  void one.service.drain(0);
  expect(await allOf(here)).toEqual([]);
  await one.directory.accounts.endSessions(ada);
  expect((await allOf(there)).at(-1)).toBe(ended('ended-elsewhere'));
  await one.close();
  await other.close();
});

it('the version changes at the commit of a change, in every process', async () => {
  const url = await newDatabase();
  await using one = await startTestService({ database: { url } });
  await using other = await startTestService({ database: { url } });
  const { bearer, uid } = await one.signedIn({ mfa: sms });
  const read = async () =>
    await Promise.all(
      [one, other].map(async (each) => (await each.readUser(uid, bearer)).body['accountVersion']),
    );
  const changes = [
    `update users set last_name = 'King' where uid = $1`,
    `update mfa_factors set phone = '+12025550199' where uid = $1`,
    `insert into passkeys (credential_id, uid, public_key, counter, transports, is_syncable, is_synced, name, created_at)
      values ('c', $1, '', 0, '', false, false, '', now())`,
    `update passkeys set name = 'Laptop' where uid = $1`,
    `delete from passkeys where uid = $1`,
    `insert into trusted_devices (id, uid, created_at, expires_at) values ('d', $1, now(), now())`,
    `insert into recovery_codes (uid, code_hash, created_at) values ($1, 'a', now()), ($1, 'b', now())`,
    `delete from recovery_codes where uid = $1 and code_hash = 'a'`,
    `delete from mfa_factors where uid = $1`,
    `update sessions set ended_at = now(), end_reason = 'signOut' where id = 's' and uid = $1`,
  ];
  let [before, there] = await read();
  await withClient(url, async (client) => {
    // Written when passkeys are first listed, and shown by nothing.
    await client.query(`update users set user_handle = 'h' where uid = $1`, [uid]);
    // A sign-in, which no event reports.
    await client.query(
      `insert into sessions (id, uid, method, rotation_key, created_at, expires_at)
        values ('s', $1, 'basic', '', now(), now() + '1 hour')`,
      [uid],
    );
  });
  expect(await read()).toEqual([before, before]);
  await withClient(url, async (client) => {
    for (const change of changes) {
      expect(there).toBe(before);
      await client.query('begin');
      await client.query(change, [uid]);
      expect(await read()).toEqual([before, before]);
      await client.query('commit');
      const previous = before;
      [before, there] = await read();
      expect([change, before]).not.toEqual([change, previous]);
    }
  });
});

describe('on a server', () => {
  let service: TestService;
  let url: string;
  beforeAll(async () => {
    url = await newDatabase();
    service = await startTestService({ database: { url } });
  });
  afterAll(() => service.close());
  const terminateListener = () =>
    withClient(url, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'vestibule-listener'`),
    );

  it('sessions that ended while the connection of announcements was lost are reported after the next connection', async () => {
    const { bearer } = await service.signedIn();
    const [stream, later] = [await openStream(service, bearer), await service.signIn()];
    const lasting = await openStream(service, text(later, 'token'));
    expect((await terminateListener()).rowCount).toBe(1);
    const { sessions } = (await service.get('/auth/v1/sessions', { bearer })).body as {
      sessions: readonly { id: string; current: boolean }[];
    };
    const ids = sessions.flatMap(({ id, current }) => (current ? [id] : []));
    await service.post('/auth/v1/sessions/end', { ids }, { bearer });
    expect((await allOf(stream)).at(-1)).toBe(ended('ended-elsewhere'));
    // Announcements arrive again, and other sessions have kept their streams.
    await service.directory.accounts.endSessions(ada);
    expect((await allOf(lasting)).at(-1)).toBe(ended('ended-elsewhere'));
    expect(service.log.entries().filter(({ event }) => event === 'listening was interrupted')).toHaveLength(
      1,
    );
  });

  it('a stream that is opened after the end of its session reports that end', async () => {
    await service.signedIn();
    await service.directory.accounts.endSessions(ada);
    const { db, listen, close } = await connect<Tables>({ url }, service.log.logger);
    const { id, uid } = await db.selectFrom('sessions').select(['id', 'uid']).executeTakeFirstOrThrow();
    const events = await createLiveEvents({ db, listen, settings: service, changes: [] });
    const bearer = {
      kind: 'session',
      uid,
      sessionId: id,
      expiresAt: service.now() + 60_000,
      kid: '',
    } as const;
    expect((await events.open(bearer).toArray()).join('')).toContain(ended('ended-elsewhere'));
    await events.close();
    await close();
  });
});
