/** @jest-environment node */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { smtpMail } from '../src/index.ts';
import { passwordScope } from '../src/limits/attemptKeys.ts';
import { hashOfToken } from '../src/security/opaqueTokens.ts';
import { seeded } from '../../../scripts/soak/seeded.ts';
import { testsAll } from './support/bothDatabases.ts';
import { openMailbox, type DeliveredMail } from './support/mailbox.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { untilOpen } from './support/testDeployment.ts';
import { account, encryptionKey, issuer, loginOrigin, startTestService } from './support/testService.ts';

const crashes = testsAll ? 1000 : 30;
/** How many times as long as a call a process lives after the calls of the changes have begun, at most. */
const longestLife = 5;
jest.setTimeout(crashes * 10_000 + 120_000);

const project = resolve(__dirname, '../../..');
const from = 'no-reply@payments.example';

it(`no notice is lost when a process is killed between a change and its mail, ${crashes} times`, async () => {
  const random = seeded(29);
  const url = await newDatabase();
  const mailbox = await openMailbox({ thinksMs: 50 });
  const mails: DeliveredMail[] = [];
  const read = async (): Promise<never> => {
    for (;;) mails.push(await mailbox.nextMail());
  };
  void read();
  const options = { database: { url }, notices: true } as const;
  // It makes accounts and links, and sends nothing.
  const writer = await startTestService({ ...options, now: Date.now });

  const start = async () => {
    const [port = 0] = await freePorts(1);
    const child: ChildProcess = spawn(
      process.execPath,
      ['--import', 'tsx', 'packages/service/src/cli/vestibule.ts', 'serve'],
      {
        cwd: project,
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          ...{ ISSUER: issuer, ALLOWED_ORIGINS: loginOrigin, DATABASE_URL: url, PORT: String(port) },
          ...{ ENCRYPTION_KEY: encryptionKey, SMTP_URL: mailbox.url, MAIL_FROM: from, NOTICES: 'on' },
        },
      },
    );
    await untilOpen(port);
    const post = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).then(
        (response) => response.text(),
        () => undefined,
      );
    // The first call of a process takes several times as long.
    const call = async () => {
      const begin = performance.now();
      await post('/auth/v1/token', { username: `${port}@example.com`, method: 'basic', password: 'wrong' });
      return performance.now() - begin;
    };
    await call();
    return {
      post,
      callMs: await call(),
      kill: async () => {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      },
    };
  };

  let next = start();
  for (let crash = 0; crash < crashes; crash += 1) {
    const process = await next;
    next = start();
    const [changed, signedIn, locked] = ['changed', 'signed-in', 'locked'].map(
      (what) => `${what}-${crash}@example.com`,
    ) as [string, string, string];
    for (const username of [changed, signedIn, locked])
      await writer.directory.upsertAccount(account({ username, email: username }));
    const { id } = await writer.directory.resetLink(changed);
    for (let attempt = 0; attempt < 4; attempt += 1)
      await writer.signIn({ username: locked, password: 'wrong' });
    const { password } = account();
    const signIn = (username: string, secret: unknown) =>
      process.post('/auth/v1/token', { username, method: 'basic', password: secret });
    const calls = [
      process.post('/password-reset/v1/password-reset', {
        ...{ hash: id, method: 'basic', password: 'New-secret8', confirm: 'New-secret8' },
      }),
      signIn(signedIn, password),
      signIn(locked, 'wrong'),
    ];
    await pause(random.between(0, longestLife) * process.callMs);
    await process.kill();
    await Promise.all(calls);
  }
  await (await next).kill();

  // Leases of the killed processes and the 60 s of a new device are over.
  const last = await startTestService({
    ...options,
    now: () => Date.now() + 130_000,
    outbox: smtpMail({ url: mailbox.url, from }),
  });
  while ((await last.directory.pendingMessages()).length > 0) await pause(100);
  await last.close();
  await writer.close();
  await mailbox.close();

  const { changes, notices } = await withClient(url, async (client) => {
    const changed = await client.query<{ uid: string; kind: string }>(`
      select uid, 'password-changed' as kind from audit_log where event = 'password-reset' and outcome = 'success'
      union all select uid, 'new-device' from sessions
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
    return { changes: [...changed.rows, ...locks], notices: written.rows };
  });
  const named = (rows: readonly { uid: string; kind: string }[]) =>
    [...new Set(rows.map(({ uid, kind }) => `${kind} ${uid}`))].sort();
  expect(named(notices)).toEqual(named(changes));

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
  expect(named(changes).length).toBeGreaterThan(0);
  expect(named(changes).length).toBeLessThan(3 * crashes);
  expect(mails.length).toBeGreaterThan(notices.length);
  console.log(
    `${crashes} crashes: ${named(changes).length} of ${3 * crashes} changes, ${mails.length} mails, ${mails.length - notices.length} of them copies`,
  );
});
