import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { seeded } from '@vestibule/contract/testing/seeded';
import { smtpMail } from '../../src/index.ts';
import { passwordScope } from '../../src/core/limits/attemptKeys.ts';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { testsAll } from '../support/bothDatabases.ts';
import { app } from '../support/secondStep.ts';
import { openMailbox, type DeliveredMail } from '../support/mailbox.ts';
import { newDatabase, withClient } from '../support/postgres.ts';
import { issuer, loginOrigin, startTestService } from '../support/testService.ts';
import { newPassword, oldPassword } from '../support/userCalls.ts';
import { environmentOf, serve } from '../support/vestibule.ts';

/** Connections to the database that break, and processes that are killed. */
const [breaks, kills] = testsAll ? [1000, 100] : [20, 4];
/** How long after its calls have begun a crash comes at most: in processes that are killed, how many times as long as a call takes. */
const [longestMs, longestLife] = [40, 5];
jest.setTimeout(breaks * 1000 + kills * 30_000 + 120_000);

const from = 'no-reply@payments.example';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it(`no notice is lost by ${breaks + kills} crashes between a change and its mail`, async () => {
  const random = seeded(29);
  const url = await newDatabase();
  const mailbox = await openMailbox({ thinksMs: 50 });
  const mails: DeliveredMail[] = [];
  let onMail: (mail: DeliveredMail) => void = () => undefined;
  const read = async (): Promise<never> => {
    for (;;) {
      const mail = await mailbox.nextMail();
      mails.push(mail);
      onMail(mail);
    }
  };
  closing.push(mailbox.close);
  void read();
  const options = {
    database: { url },
    notices: true,
    outbox: smtpMail({ url: mailbox.url, from }),
  } as const;
  const named = new URL(url);
  named.searchParams.set('application_name', 'breaking');
  const service = await startTestService({ ...options, database: { url: named.href }, now: Date.now });
  // It prepares the changes, and does not break. It sends nothing: each process takes mails of all others that are due.
  const writer = await startTestService({ database: { url }, outbox: {}, now: Date.now });
  closing.push(service.close, writer.close);

  const start = async () => {
    const [port = 0] = await freePorts(1);
    const { end, until } = serve({
      ...environmentOf(url),
      ...{ ISSUER: issuer, ALLOWED_ORIGINS: loginOrigin, PORT: String(port) },
      ...{ SMTP_URL: mailbox.url, MAIL_FROM: from, NOTICES: 'on' },
    });
    const kill = async () => {
      await end('SIGKILL');
    };
    closing.push(kill);
    await until('"event":"listening"');
    const post = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.text());
    // The first call of a process takes several times as long.
    const call = async () => {
      const begin = performance.now();
      await post('/auth/v1/token', { username: `${port}@example.com`, method: 'basic', password: 'wrong' });
      return performance.now() - begin;
    };
    await call();
    return { post, callMs: await call(), kill };
  };

  /** A user of each change, who needs one more call for it. @returns these calls. */
  const changes = async (crash: string) => {
    const [changed, signedIn, locked] = [`changed-${crash}`, `signed-in-${crash}`, `locked-${crash}`];
    const stopped = `stopped-${crash}`;
    for (const username of [changed, signedIn, locked])
      await writer.write({ username, email: `${username}@example.com` });
    await writer.write({ username: stopped, email: `${stopped}@example.com`, mfa: app });
    const { id } = await writer.directory.links.reset(changed);
    for (let attempt = 0; attempt < 4; attempt += 1)
      await writer.signIn({ username: locked, password: 'wrong' });
    const signIn = { method: 'basic', password: oldPassword };
    return [
      [
        '/password-reset/v1/password-reset',
        { hash: id, method: 'basic', password: newPassword, confirm: newPassword },
      ],
      ['/auth/v1/token', { ...signIn, username: signedIn }],
      ['/auth/v1/token', { ...signIn, username: locked, password: 'wrong' }],
      ['/auth/v1/token', { ...signIn, username: stopped }],
    ] as const;
  };

  for (let crash = 0; crash < breaks; crash += 1) {
    const calls = (await changes(`b${crash}`)).map(([path, body]) => service.post(path, body));
    await pause(random.between(0, longestMs));
    await withClient(url, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'breaking'`),
    );
    await Promise.all(calls);
  }
  for (let crash = 0; crash < kills; crash += 1) {
    const name = `k${crash}`;
    const process = await start();
    const prepared = await changes(name);
    // Every other one when its mail was taken, before its sender knows.
    const taken = new Promise<void>((resolve) => {
      onMail = ({ envelope }) => {
        if (envelope.to.some((to) => to.endsWith(`-${name}@example.com`))) resolve();
      };
    });
    const calls = prepared.map(([path, body]) => process.post(path, body));
    const ended = Promise.allSettled(calls);
    await (crash % 2 === 1 ? pause(random.between(0, longestLife) * process.callMs) : taken);
    await process.kill();
    await ended;
  }

  // Leases of the killed processes, the 60 s of a new device and the 20 minutes of a second step are over.
  const last = await startTestService({
    ...options,
    now: () => Date.now() + 1_330_000,
  });
  while ((await last.directory.messages.pending()).length > 0) await pause(100);
  await last.close();

  const { changed, notices } = await withClient(url, async (client) => {
    const made = await client.query<{ uid: string; kind: string }>(`
      select uid, 'password-changed' as kind from audit_log where event = 'password-reset' and outcome = 'success'
      union all select uid, 'new-device' from sessions
      union all select uid, 'second-step-missed' from audit_log where event = 'sign-in' and outcome = 'pending'
      union all select uid, 'locked' from audit_log where event = 'lockout' and uid is not null`);
    const locked = await client.query<{ scope: string }>(
      'select scope from sign_in_attempts where locked_until is not null',
    );
    const users = await client.query<{ uid: string; username: string }>('select uid, username from users');
    const isLocked = new Set(locked.rows.map(({ scope }) => scope));
    const locks = users.rows
      .filter(({ username }) => isLocked.has(passwordScope(username)))
      .map(({ uid }) => ({ uid, kind: 'locked' }));
    const written = await client.query<{ uid: string; kind: string; id_hash: string }>(
      'select uid, kind, id_hash from notices',
    );
    return { changed: [...made.rows, ...locks], notices: written.rows };
  });
  const namesOf = (rows: readonly { uid: string; kind: string }[]) =>
    [...new Set(rows.map(({ uid, kind }) => `${kind} ${uid}`))].sort();
  expect(namesOf(notices)).toEqual(namesOf(changed));

  const messageIds = new Map<string, Set<string>>();
  for (const { mail } of mails) {
    const [, link = ''] = /\/security-notice\/([\w-]+)/.exec(mail.text ?? '') ?? [];
    messageIds.set(
      hashOfToken(link),
      (messageIds.get(hashOfToken(link)) ?? new Set()).add(mail.messageId ?? ''),
    );
  }
  expect([...messageIds.keys()].sort()).toEqual(notices.map(({ id_hash }) => id_hash).sort());
  expect([...messageIds.values()].filter(({ size }) => size > 1)).toEqual([]);
  // Both sides of the crash were met: changes that were not made, and mails that were sent twice.
  expect(namesOf(changed).length).toBeGreaterThan(0);
  expect(namesOf(changed).length).toBeLessThan(4 * (breaks + kills));
  expect(mails.length).toBeGreaterThan(notices.length);
  console.log(
    `${breaks} breaks, ${kills} kills: ${namesOf(changed).length} of ${4 * (breaks + kills)} changes, ${mails.length} mails, ${mails.length - notices.length} of them copies`,
  );
});
