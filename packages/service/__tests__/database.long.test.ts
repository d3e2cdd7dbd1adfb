import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { ServiceContext } from '../src/core/context.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { createService } from '../src/index.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { removeExpired } from '../src/core/database/removeExpired.ts';
import { migrateToLatest } from '../src/platform/database/migrate.ts';
import { migrations, settingsParts, slots } from '../src/slots.ts';
import { defaultLockout, type ServiceSettings } from '../src/core/settings/options.ts';
import { passwordKey, passwordScope } from '../src/core/limits/attemptKeys.ts';
import { createAttempts } from '../src/core/limits/attempts.ts';
import { wrongAppCode } from './support/authenticator.ts';
import { anObjectWith } from './support/matchers.ts';
import { emptyDatabase, newDatabase, withClient } from './support/postgres.ts';
import { waitForLockWaits } from './support/lockWaits.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { app, appSecret, sms } from './support/secondStep.ts';
import { account, startTestService, type TestService, text } from './support/testService.ts';

describe('housekeeping', () => {
  const start = Date.UTC(2026, 0, 1);
  let database: Database<Tables>;

  beforeAll(async () => {
    database = await connect<Tables>({ folder: null }, recordingLogger().logger);
    await migrateToLatest(database.db, migrations);
  });
  afterAll(async () => {
    await database.close();
  });

  it('removes expired rows and nothing that is still valid', async () => {
    const { db } = database;
    const at = (milliseconds: number): Date => new Date(start + milliseconds);
    await sql`insert into users (uid, username, username_key, email, first_name, last_name, personas, must_set_up_mfa, created_at)
      values ('u_1', 'a', 'a', 'a@b.c', 'A', 'B', '{}', false, ${at(0)})`.execute(db);
    for (const [id, type, expires] of [
      ['over', 'authy', at(1000)],
      ['alive', 'mfa', at(7_200_000)],
    ] as const) {
      await sql`insert into sessions (id, uid, method, rotation_key, created_at, expires_at)
        values (${id}, 'u_1', 'basic', 'k', ${at(0)}, ${expires})`.execute(db);
      await sql`insert into refresh_tokens (token_hash, session_id, rotated_at, created_at, expires_at)
        values (${`of ${id}`}, ${id}, ${at(0)}, ${at(0)}, ${at(1000)})`.execute(db);
      await sql`insert into links (id_hash, kind, api_user, is_magic, created_at, expires_at)
        values (${id}, 'secret-key', 'Export', false, ${at(0)}, ${expires})`.execute(db);
      await sql`insert into mfa_enrolments (id, uid, type, expires_at)
        values (${id}, 'u_1', ${type}, ${expires})`.execute(db);
      await sql`insert into text_message_counts (subject, sent, window_ends_at)
        values (${id}, 1, ${expires})`.execute(db);
    }
    const guess = async (name: string, at: number, isRight: boolean): Promise<void> => {
      const attempts = createAttempts(db, defaultLockout, () => at);
      const key = passwordKey(name, null, ['network', '192.0.2.1']);
      const reservation = await attempts.reserve(key);
      if (reservation.allowed && isRight) await attempts.succeeded(key, reservation);
    };
    await guess('wrong long ago', start - 86_400_000, false);
    await guess('wrong a day ago', start, false);
    await guess('right a month ago', start - 29 * 86_400_000, true);
    await createAttempts(db, defaultLockout, () => start - 86_400_000).lock(db, 'locked long ago');
    await createAttempts(db, defaultLockout, () => start).lock(db, 'locked a day ago');

    for (const [id, days] of [
      ['given up', 31],
      ['given up lately', 1],
    ] as const) {
      const failed = at(-days * 86_400_000);
      await sql`insert into outbox_messages (id, channel, kind, body, attempts, last_error, created_at, give_up_at, failed_at)
        values (${id}, 'mail', 'reset', '', 1, 'ESOCKET', ${failed}, ${failed}, ${failed})`.execute(db);
    }

    const given = { now: () => start + 3_700_000, lockout: defaultLockout };
    const settings = { ...settingsParts.defaults, ...given } as ServiceSettings;
    await removeExpired(db, settings);
    await slots.cleanUp({ db, settings } as ServiceContext);

    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([{ id: 'alive' }]);
    expect(await db.selectFrom('links').select('id_hash').execute()).toEqual([{ id_hash: 'alive' }]);
    const messages = await db.selectFrom('outbox_messages').select('id').execute();
    expect(messages).toEqual([{ id: 'given up lately' }]);
    // The rotated token stays although it has expired: otherwise its reuse could not be detected.
    const tokens = await db.selectFrom('refresh_tokens').select('token_hash').execute();
    expect(tokens).toEqual([{ token_hash: 'of alive' }]);
    expect(await db.selectFrom('mfa_enrolments').select('id').execute()).toEqual([{ id: 'alive' }]);
    const counts = await db.selectFrom('text_message_counts').select('subject').execute();
    expect(counts).toEqual([{ subject: 'alive' }]);
    const attempts = await db.selectFrom('sign_in_attempts').select('scope').distinct().execute();
    expect(attempts.map(({ scope }) => scope).sort()).toEqual(
      [passwordScope('wrong a day ago'), passwordScope('right a month ago'), 'locked a day ago'].sort(),
    );
  });
});

const kinds = [
  {
    name: 'a data folder',
    make: () => {
      const folder = mkdtempSync(join(tmpdir(), 'vestibule-restart-'));
      const remove = () => {
        rmSync(folder, { recursive: true, force: true });
      };
      return Promise.resolve({ database: { folder }, remove });
    },
  },
  {
    name: 'a PostgreSQL server',
    make: async () => ({ database: { url: await emptyDatabase() }, remove: () => undefined }),
  },
];

describe.each(kinds)('after a restart on $name', ({ make }) => {
  it('accounts, sessions, bearers, trusted devices and lockouts are unchanged', async () => {
    const { database, remove } = await make();
    const before = await startTestService({ database });
    const { uid } = await before.write();
    const session = await before.signIn();
    await before.directory.accounts.lock('bob@example.com');
    await before.close();

    const after = await startTestService({ database });
    const user = await after.readUser(uid, text(session, 'token'));
    const refreshed = await after.refresh(text(session, 'refresh'));
    const again = await after.signIn();
    const locked = await after.signIn({ username: 'bob@example.com' });
    await after.close();
    remove();

    expect([user.status, refreshed.status, again.status, locked.status]).toEqual([200, 200, 200, 429]);
  });
});

describe('a data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-folder-'));
  const options = {
    database: { folder },
    issuer: 'http://api.localhost',
    allowedOrigins: ['http://login.localhost'],
  };
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('cannot be opened twice, and is released when the service ends', async () => {
    const first = await createService(options);
    await expect(createService(options)).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}. Stop it, or choose another folder.`,
    );
    await first.close();
    await (await createService(options)).close();
  });

  it('stays with another process that runs', async () => {
    writeFileSync(join(folder, 'owner.pid'), String(process.ppid));
    await expect(createService(options)).rejects.toThrow(`is in use by process ${process.ppid}.`);
    rmSync(join(folder, 'owner.pid'));
  });

  it.each([
    ['a process that has exited', '999999999'],
    ['an earlier process with our process id', String(process.pid)],
    ['a process whose id another process has now', `${process.ppid} another start`],
    ['unreadable content', 'garbage'],
  ])('with a lock left by %s can be opened', async (_who, content) => {
    writeFileSync(join(folder, 'owner.pid'), content);
    const service = await createService(options);
    expect(readFileSync(join(folder, 'owner.pid'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    await service.close();
  });
});

describe('two instances of the service on one PostgreSQL', () => {
  let url: string;
  let one: TestService;
  let other: TestService;
  let watching: Database<Tables>;

  beforeAll(async () => {
    url = await emptyDatabase();
    watching = await connect<Tables>({ url }, recordingLogger().logger);
    // Together, on an empty database: both try to migrate and to create the first signing key.
    [one, other] = await Promise.all([
      startTestService({ database: { url } }),
      startTestService({ database: { url } }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close(), watching.close()]);
  });
  beforeEach(async () => {
    await one.directory.resetAll();
    await one.write();
  });

  const both = <Result>(times: number, call: (testService: TestService) => Promise<Result>) =>
    Promise.all(Array.from({ length: times }, (_unused, index) => call(index % 2 === 0 ? one : other)));

  it('start concurrently with the same signing key', async () => {
    const [keys, otherKeys] = await both(2, (testService) => testService.get('/.well-known/jwks.json'));
    expect(keys?.text).toBe(otherKeys?.text);
    expect(JSON.parse(keys?.text ?? '')).toEqual({ keys: [anObjectWith({ alg: 'ES256' })] });
  });

  it('return the same successor for twenty concurrent refreshes of one token', async () => {
    const refresh = text(await one.signIn(), 'refresh');
    const responses = await both(20, (testService) => testService.refresh(refresh));
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
    const successors = new Set(responses.map((response) => text(response, 'refresh')));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    expect((await other.refresh(successor)).status).toBe(200);
  });

  it('end a session when a used token is reused while the current one is refreshed', async () => {
    const dead = text(await one.signIn(), 'refresh');
    let living = text(await one.refresh(dead), 'refresh');
    one.passSeconds(11);
    other.passSeconds(11);
    const responses = await Promise.all([one.refresh(living), other.refresh(dead), one.refresh(dead)]);
    expect(responses.slice(1).map((response) => response.status)).toEqual([401, 401]);
    living = responses[0].status === 200 ? text(responses[0], 'refresh') : living;
    expect((await other.refresh(living)).status).toBe(401);
  });

  it('record a reused token in the transaction that ends its session', async () => {
    const spent = text(await one.signIn(), 'refresh');
    await one.refresh(spent);
    one.passSeconds(11);
    other.passSeconds(11);
    expect((await one.refresh(spent)).status).toBe(401);
    const { rows } = await withClient(url, (client) =>
      client.query(`select distinct sessions.xmin::text as ended, audit_log.xmin::text as recorded
        from sessions join audit_log using (uid)
        where end_reason = 'reuse' and event = 'refresh-reuse' and sessions.xmin = audit_log.xmin`),
    );
    expect(rows).toHaveLength(1);
  });

  it('keep a session when a used token comes late, of a caller who has hung up: the call waited in a process that stood still', async () => {
    const spent = text(await one.signIn(), 'refresh');
    const living = text(await other.refresh(spent), 'refresh');
    one.passSeconds(11);
    other.passSeconds(11);
    const hangUp = new AbortController();
    await withClient(url, async (client) => {
      await client.query('begin');
      await client.query('select from sessions for update');
      const late = fetch(`${one.url}/auth/v1/refresh`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refresh: spent }),
        signal: hangUp.signal,
      });
      await waitForLockWaits(watching.db);
      hangUp.abort();
      await expect(late).rejects.toThrow('aborted');
      while (!one.log.entries().some(({ event }) => event === 'call aborted'))
        await new Promise((resolve) => setTimeout(resolve, 10));
      await client.query('commit');
    });
    expect((await other.refresh(living)).status).toBe(200);
  });

  it('check at most five passwords of a burst of wrong ones together', async () => {
    const responses = await both(40, (testService) => testService.signIn({ password: 'wrong' }));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(4).fill(401),
      ...Array<number>(36).fill(429),
    ]);
  });

  it('do not exceed the limit of text messages together', async () => {
    await one.write({ mfa: sms });
    const authVerificationToken = await one.challenge();
    const resend = { username: 'ada@example.com', method: 'basic', authVerificationToken };
    const responses = await both(13, (testService) => testService.post('/auth/v1/token', resend));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
    expect([...one.outbox.texts(), ...other.outbox.texts()]).toHaveLength(10);
  });

  it('create one account when both create it concurrently', async () => {
    const accounts = await both(6, (testService) =>
      testService.directory.accounts.ensure(account({ username: 'new@example.com' })),
    );
    expect(new Set(accounts.map(({ uid }) => uid)).size).toBe(1);
  });

  it('answer every sign-in and refresh although PostgreSQL drops their connections meanwhile', async () => {
    const refresh = text(await one.signIn(), 'refresh');
    const statuses: number[] = [];
    let cut = 0;
    await withClient(url, async (client) => {
      for (let turn = 0; turn < 4; turn += 1) {
        const signIns = both(4, (testService) => testService.signIn());
        const refreshes = both(10, (testService) => testService.refresh(refresh));
        // Not until the calls are over: they are retried for 6 s, and a busy machine may need longer.
        for (let times = 0; times < 5; times += 1) {
          const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`);
          cut += rowCount ?? 0;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        const responses = [...(await signIns), ...(await refreshes)];
        statuses.push(...responses.map(({ status }) => status));
      }
    });
    expect(cut).toBeGreaterThan(1);
    expect(statuses).toEqual(Array(56).fill(200));
  });

  it('count one attempt for a sign-in that waits until the disk has room again', async () => {
    await withClient(url, async (client) => {
      // A number that was taken stays taken when its statement fails.
      await client.query(`create sequence tries; create function disk_full() returns trigger language plpgsql as $$
        begin perform nextval('tries'); raise exception 'No space left' using errcode = '53100'; end $$;
        create trigger full_disk before update on sign_in_attempts for each row
        when (new.failures < old.failures) execute function disk_full()`);
      const response = one.signIn();
      const triesOf = async (): Promise<number> =>
        Number(
          (await client.query<{ tries: string }>('select last_value as tries from tries')).rows[0]?.tries,
        );
      while ((await triesOf()) < 7) await new Promise((resolve) => setTimeout(resolve, 10));
      await client.query('drop trigger full_disk on sign_in_attempts');
      expect((await response).status).toBe(200);
    });
  });

  it('accept the right code after four wrong ones although its connection is cut while it waits', async () => {
    await one.write({ mfa: app });
    const challenge = await one.challenge();
    const wrong = await wrongAppCode(appSecret, one.now());
    for (let tries = 0; tries < 4; tries += 1)
      expect((await one.enterCode(challenge, wrong)).status).toBe(401);
    await withClient(url, async (client) => {
      await client.query('begin');
      await client.query('select from users for update');
      const response = one.enterCode(challenge, await one.codeOfApp());
      await waitForLockWaits(watching.db);
      const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      await client.query('commit');
      expect([rowCount, (await response).status]).toEqual([1, 200]);
    });
  });
});

it('a process that stands still in a transaction keeps its rows no longer than nginx waits for it', async () => {
  const { db, close } = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(db);
  await close();
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '12s' }]);
});

describe('the embedded database', () => {
  let database: Database<Tables>;
  beforeAll(async () => {
    database = await connect<Tables>({ folder: null }, recordingLogger().logger);
  });
  afterAll(async () => {
    await database.close();
  });

  it('does not block the thread that answers calls during a query', async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const { rows } = await sql<{ sum: string }>`select sum(n) from generate_series(1, 3000000) n`.execute(
      database.db,
    );
    clearInterval(counting);
    expect(rows).toEqual([{ sum: '4500001500000' }]);
    expect(turns).toBeGreaterThan(10);
  });

  it('reports a faulty statement as a server does, and continues', async () => {
    const failing = sql`select 1 / 0`.execute(database.db);
    await expect(failing).rejects.toMatchObject({
      message: 'division by zero',
      code: '22012',
      severity: 'ERROR',
    });
    await expect(failing).rejects.toBeInstanceOf(Error);
    expect((await sql`select ${'a'}::text as b`.execute(database.db)).rows).toEqual([{ b: 'a' }]);
  });

  it('reports notifications on the connection that other statements have used', async () => {
    const { db, listen } = database;
    await sql`select 1`.execute(db);
    const heard: string[] = [];
    await listen(
      'changes',
      (payload) => heard.push(payload),
      () => undefined,
    );
    await sql`select pg_notify('changes', 'one')`.execute(db);
    expect(heard).toEqual(['one']);
  });

  it('reports why it cannot be opened, and releases its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
    mkdirSync(join(folder, 'database'));
    writeFileSync(join(folder, 'database', 'PG_VERSION'), 'none');
    try {
      await expect(connect<Tables>({ folder }, recordingLogger().logger)).rejects.toThrow();
      expect(readdirSync(folder)).toEqual(['database']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
