import { directoryParts } from '../src/slots.ts';
import { newPassword } from './support/links.ts';
import { aString } from './support/matchers.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { outcome, sms } from './support/secondStep.ts';
import { describeService, startTestService, type TestService, text } from './support/testService.ts';

const ada = 'ada@example.com';

/** Whether the session can still be refreshed. */
const isAlive = async ({ post }: TestService, refresh: string): Promise<boolean> =>
  (await post('/auth/v1/refresh', { refresh })).status === 200;

describeService('The help desk', (service) => {
  it('resets the second factor of a lost phone: sessions and trusted devices end, and the next sign-in requires an enrolment', async () => {
    await service.write({ mfa: sms });
    const trustedJWT = await service.directory.accounts.trustDevice(ada);
    const refresh = text(await service.signIn({ trustedJWT }), 'refresh');
    await service.directory.accounts.resetSecondFactor(ada);
    expect(await isAlive(service, refresh)).toBe(false);
    expect((await service.signIn({ trustedJWT })).body).toEqual({
      mfaJWT: aString,
      uid: aString,
    });
    await service.directory.accounts.resetSecondFactor(ada, { isOptional: true });
    expect((await service.signIn()).body).toHaveProperty('token');
  });

  it('requires a new password: the present one is refused and mails a reset link, until another is set', async () => {
    await service.write();
    const refresh = text(await service.signIn(), 'refresh');
    await service.directory.accounts.requireNewPassword(ada);
    expect(await isAlive(service, refresh)).toBe(false);

    expect((await service.signIn({ password: 'Wrong-horse7' })).body).toMatchObject({
      error: { code: 'invalid_credentials' },
    });
    expect(outcome(await service.signIn())).toEqual([
      401,
      {
        error: {
          message: 'Please set a new password. We have sent you an e-mail with a link.',
          code: 'no_access',
        },
      },
    ]);
    const mail = await service.outbox.nextMail();
    expect(mail.to).toBe(ada);
    expect(service.outbox.unreadMails()).toEqual([]);
    expect((await service.reset(linkIn(mail).id)).status).toBe(200);
    expect((await service.outbox.nextMail()).subject).toContain('changed');
    expect((await service.signIn({ password: newPassword })).body).toHaveProperty('token');
  });

  it('sends no more than five reset links an hour to somebody who signs in again and again', async () => {
    await service.write();
    await service.directory.accounts.requireNewPassword(ada);
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await service.signIn()).status).toBe(401);
      await service.outbox.nextMail();
    }
    expect((await service.signIn()).status).toBe(401);
    service.passSeconds(3601);
    await service.signIn();
    await service.outbox.nextMail();
    expect(service.outbox.unreadMails()).toEqual([]);
  });

  it('changes the name and the username without ending a session', async () => {
    const { uid } = await service.write();
    const refresh = text(await service.signIn(), 'refresh');
    await service.directory.accounts.change(ada, {
      username: 'Augusta',
      firstName: 'Augusta',
      lastName: 'King',
    });
    expect(await isAlive(service, refresh)).toBe(true);
    expect(await service.directory.accounts.find(ada)).toBeNull();
    expect(await service.directory.accounts.find('augusta')).toMatchObject({
      uid,
      username: 'Augusta',
      email: ada,
      firstName: 'Augusta',
      lastName: 'King',
    });
    expect((await service.signIn({ username: 'augusta' })).status).toBe(200);
  });

  it('changes the e-mail address: what the former mailbox holds ends, and mails go to the new one', async () => {
    await service.write();
    const [refresh, link] = [
      text(await service.signIn(), 'refresh'),
      await service.directory.links.reset(ada),
    ];
    await service.directory.accounts.change(ada, { email: 'king@example.com' });
    expect(await isAlive(service, refresh)).toBe(false);
    expect((await service.reset(link.id)).status).toBe(401);
    await service.forgot('king@example.com');
    expect((await service.outbox.nextMail()).to).toBe('king@example.com');
  });

  it('is refused for an unknown username', async () => {
    const { directory } = service;
    for (const work of [
      () => directory.accounts.resetSecondFactor(ada),
      () => directory.accounts.requireNewPassword(ada),
      () => directory.accounts.change(ada, { firstName: 'Augusta' }),
    ])
      await expect(work()).rejects.toThrow('There is no account with this username.');
  });
});

/** The parts of the export whose names are not those of their tables. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ users: 'account', login_methods: 'account', mfa_factors: 'account', provider_identities: 'account' },
  mfa_enrolments: 'enrolments',
  outbox_messages: 'messages',
  verification_tokens: 'verifications',
};
const partOf = (table: string): string =>
  otherNames[table] ?? table.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

test('A request of a person is answered with everything that the database holds about them, without secrets', async () => {
  const url = await newDatabase();
  const service = await startTestService({ database: { url } });
  await service.write();
  const session = await service.signIn();
  await service.addPhone(text(session, 'token'), await service.verified(text(session, 'token')));
  const code = service.outbox.newestCode();
  await service.signIn({ password: 'Wrong-horse7' });
  await service.directory.accounts.trustDevice(ada);
  const { url: link } = await service.directory.links.reset(ada);
  service.outbox.refuse(true);
  await service.forgot();
  while ((await service.directory.messages.pending()).every(({ state }) => state === 'waiting'))
    await new Promise((resolve) => setImmediate(resolve));
  const person = await service.directory.accounts.exportPerson(ada);
  const { rows } = await withClient(url, (client) =>
    client.query<{ table_name: string }>(
      "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'uid' order by 1",
    ),
  );
  await service.close();
  expect(person).toMatchObject({
    account: { username: ada, email: ada, firstName: 'Ada', hasPassword: true },
    sessions: [{ method: 'basic', endedAt: null }],
    verifications: [{ purpose: 'identity' }],
    enrolments: [{ type: 'authy', phone: '+12025550143' }],
    trustedDevices: [{ createdAt: new Date(service.now()) }],
    links: [{ kind: 'reset-password' }, { kind: 'reset-password' }],
    messages: [{ channel: 'mail', kind: 'reset' }],
  });
  expect(person.attempts.map(({ failures }) => failures)).toContain(1);
  expect(person.auditLog.at(-1)).toMatchObject({ event: 'accounts-exported', method: 'person' });
  const printed = JSON.stringify(person);
  const secrets = [code, link.slice(link.lastIndexOf('/') + 1), text(session, 'refresh'), 'argon2', 'sealed'];
  expect(secrets.filter((secret) => printed.includes(secret))).toEqual([]);
  const parts = new Set([
    ...Object.keys(person),
    ...directoryParts.accountParts.flatMap(({ schema }) => Object.keys(schema)),
  ]);
  expect(rows.map(({ table_name: table }) => partOf(table)).filter((part) => !parts.has(part))).toEqual([]);
});
