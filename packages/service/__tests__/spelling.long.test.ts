import { execFileSync } from 'node:child_process';
import { emptyDatabase, newDatabase, withClient } from './support/postgres.ts';
import { random, scriptedProvider } from './support/scriptedProvider.ts';
import { startTestService, type TestService } from './support/testService.ts';

const ida = 'ida@example.com';
const forgot = ({ post }: TestService, email: string) =>
  post('/password-reset/v1/forgot-password', { email });
/** To whom mails were sent; those that are left to do are sent when the service ends. */
const recipients = async (service: TestService): Promise<readonly string[]> => {
  await service.close();
  return service.outbox.unreadMails().map(({ to }) => to);
};

const isInstalled = execFileSync('locale', ['-a'], { encoding: 'utf8' }).includes('en_US.utf8');
const locales: readonly (readonly [name: string, clause: string])[] = [
  ['C.UTF-8', "locale 'C.UTF-8'"],
  // Debian installs it on demand; those of ICU come with the server.
  ...(isInstalled ? [['en_US.UTF-8', "locale 'en_US.UTF-8'"] as const] : []),
  ['en-US of ICU', "locale 'C.UTF-8' locale_provider icu icu_locale 'en-US'"],
  ['tr-TR of ICU', "locale 'C.UTF-8' locale_provider icu icu_locale 'tr-TR'"],
];

describe.each(locales)('addresses and usernames in a database of the locale %s', (_name, locale) => {
  let service: TestService;
  beforeEach(async () => {
    const url = await emptyDatabase(locale);
    const provider = await scriptedProvider();
    provider.play({ claims: { email: 'info@example.com' } });
    service = await startTestService({ database: { url }, now: Date.now, providers: provider.options });
    await service.write({ username: ida, email: ida });
  });
  afterEach(() => service.close());

  it('bring one mailbox five reset mails an hour, however it is spelled', async () => {
    const spellings = [ida, 'IDA@Example.com', 'ida@exampLE.com', 'Ida@example.com', 'IDA@example.com'];
    for (const spelling of spellings) {
      await forgot(service, spelling);
      // A mail that has not been sent is replaced by the next one.
      expect((await service.outbox.nextMail()).to).toBe(ida);
    }
    for (const spelling of [
      ...spellings,
      'ｉda@example.com',
      ' ida@example.com',
      'İda@example.com',
      'ıda@example.com',
    ])
      await forgot(service, spelling);
    expect(await recipients(service)).toEqual([]);
  });

  it('find an account by its own spelling in either case', async () => {
    const other = 'İSTANBUL@example.com';
    await service.write({ username: other, email: other });
    for (const username of [other, other.toLowerCase(), 'IDA@EXAMPLE.COM'])
      expect((await service.signIn({ username })).status).toBe(200);
    expect((await service.signIn({ username: 'İda@example.com' })).status).toBe(401);
    await forgot(service, other.toLowerCase());
    expect(await recipients(service)).toEqual([other]);
  });

  it('keep an identity from an account with a plus-suffix, when its address has one of its own', async () => {
    const methods = [{ method: 'google' }] as const;
    for (const name of ['INFO@example.com', 'info+bills@example.com'])
      await service.write({ username: name, email: name, methods });
    const enter = async (username: string) =>
      (await service.post('/auth/v1/token', { username, method: 'google', code: random() })).status;
    expect(await enter('info+bills@example.com')).toBe(401);
    expect(await enter('info@example.com')).toBe(200);
  });
});

describe('the address of an account that an earlier release has written', () => {
  it('is found after the next start, and those that are one now are named and left alone', async () => {
    const url = await newDatabase();
    const start = () => startTestService({ database: { url } });
    const first = await start();
    const wide = 'ｉda@example.com';
    const uids: string[] = [];
    for (const [index, email] of [ida, wide, 'moved@example.com'].entries())
      uids.push((await first.write({ username: `u${index}`, email })).uid);
    await first.close();
    // As a release without keys leaves accounts that it creates, and changes.
    await withClient(url, (client) =>
      client.query(`update users set email_key = null, email_key_of = null where email like '%ida@example.com';
        update users set email = 'new@example.com' where email = 'moved@example.com'`),
    );
    const service = await start();
    expect(service.log.entries().filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        event: 'addresses of several accounts are one',
        fields: { uids: uids.slice(0, 2).sort().join(' ') },
      },
    ]);
    for (const email of ['NEW@example.com', 'moved@example.com', ida]) await forgot(service, email);
    expect([...(await recipients(service))].sort()).toEqual([ida, 'new@example.com', wide]);
    const again = await start();
    expect(again.log.text()).not.toContain('addresses of several accounts');
    await again.close();
  });
});
