/** @jest-environment node */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { IssuedLink, LinkOptions } from '../../service';
import { bothDatabases } from './support/bothDatabases';
import { activate, exchange, mangled, openInvite, refusedLink, reset } from './support/links';
import { linkIn } from './support/recordingOutbox';
import { account, startTestService, text, type Answer, type TestService } from './support/testService';
import { aString } from './support/matchers';

jest.setTimeout(120_000);

const ada = 'ada@example.com';
const ina = 'ina@example.com';
const ledger = 'http://ledger.payments.localhost/';
const signOnUrl = 'http://login.payments.localhost';

describe.each(bothDatabases)('a magic link, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

  const toLedger = async (): Promise<string> => (await world.service.directory.magicLink(ada, 'ledger')).id;

  beforeAll(async () => {
    const database = await open();
    closeDatabase = database.close;
    world = await startTestService({ database: database.options });
  });
  afterAll(async () => {
    await world.close();
    await closeDatabase();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(account());
    await world.service.directory.upsertAccount(account({ username: ina, email: ina, password: null }));
  });

  it('leads into the application with a session that lives on by refreshing', async () => {
    const answer = await exchange(world, await toLedger());
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: [
          {
            application: 'ledger',
            applicationUrl: ledger,
            metaData: { type: 'application' },
            redirectUrl: ledger,
          },
        ],
        token: aString,
        refreshToken: aString,
      },
    ]);
    expect(decodeJwt(text(answer, 'token'))).toMatchObject({ username: ada, method: 'basic' });
    expect((await world.post('/auth/v1/refresh', { refresh: text(answer, 'refreshToken') })).status).toBe(
      200,
    );
  });

  it('can lead to a page of the application, and to no other site', async () => {
    const { directory } = world.service;
    const { id } = await directory.magicLink(ada, 'ledger', { redirectUrl: `${ledger}invoices/7` });
    expect((await exchange(world, id)).body).toMatchObject({
      data: [{ redirectUrl: `${ledger}invoices/7` }],
    });
    for (const redirectUrl of ['http://evil.test/', 'javascript:alert(1)', '//evil.test', 'no address']) {
      await expect(directory.magicLink(ada, 'ledger', { redirectUrl })).rejects.toThrow(
        'not one of the application',
      );
    }
  });

  it('works once, also when several try at once', async () => {
    const link = await toLedger();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(world, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
    expect((await exchange(world, link)).body).toEqual(refusedLink);
  });

  it('is over after an hour', async () => {
    const late = await toLedger();
    world.passSeconds(3600);
    expect((await exchange(world, late)).body).toEqual(refusedLink);
  });

  it('is told from every other text, and is no hash of a form', async () => {
    const link = await toLedger();
    for (const other of mangled(link)) expect((await exchange(world, other)).body).toEqual(refusedLink);
    expect((await reset(world, link)).body).toEqual(refusedLink);
    expect((await exchange(world, link)).status).toBe(200);
  });

  it.each([
    ['was given a second factor', { mfa: { type: 'mfa', secret: 'JBSWY3DPEHPK3PXP' } as const }],
    ['has to set up a second factor', { mustSetUpMfa: true }],
    ['lost the application', { personas: { hub: [{ applicationUrl: 'http://hub.payments.localhost/' }] } }],
  ])('does not let in who %s since', async (_what, changes) => {
    const link = await toLedger();
    await world.service.directory.upsertAccount(account(changes));
    expect((await exchange(world, link)).body).toEqual(refusedLink);
    await expect(toLedger()).rejects.toThrow();
  });

  describe('to a form of the sign-on', () => {
    const forms: readonly [
      string,
      (world: TestService) => Promise<IssuedLink>,
      (world: TestService, id: string) => Promise<Answer>,
    ][] = [
      ['activate', (it) => it.service.directory.inviteUser(ina, { magic: true }), activate],
      ['reset-password', (it) => it.service.directory.resetLink(ada, { magic: true }), reset],
      ['secret-key', (it) => it.service.directory.inviteApiUser('Export', { magic: true }), openInvite],
    ];

    it.each(forms)('tells the form %s, once, and its id then works there, once', async (type, make, use) => {
      const { id } = await make(world);
      const answer = await exchange(world, id);
      const data = [
        { application: 'sign-on', applicationUrl: signOnUrl, metaData: { type }, redirectUrl: signOnUrl },
      ];
      expect([answer.status, answer.body]).toEqual([200, { data, token: aString, refreshToken: aString }]);
      expect((await exchange(world, id)).body).toEqual(refusedLink);
      expect((await use(world, id)).status).toBe(200);
      expect((await use(world, id)).status).toBeGreaterThanOrEqual(400);
      if (type === 'reset-password') await world.outbox.nextMail();
    });

    it.each(forms)(
      'works at the form %s without an exchange, and is not exchanged after it',
      async (type, make, use) => {
        const { id } = await make(world);
        expect((await use(world, id)).status).toBe(200);
        expect((await exchange(world, id)).body).toEqual(refusedLink);
        if (type === 'reset-password') await world.outbox.nextMail();
      },
    );

    it.each(forms)('gives no session with the form %s', async (_type, make) => {
      const answer = await exchange(world, (await make(world)).id);
      const token = text(answer, 'token');
      expect([decodeProtectedHeader(token).typ, decodeJwt(token)]).toMatchObject(['empty+jwt', {}]);
      expect(decodeJwt(token)).not.toHaveProperty('uid');
      expect((await world.get('/user-management/v1/users/any', { bearer: token })).status).toBe(401);
      expect((await world.post('/auth/v1/refresh', { refresh: text(answer, 'refreshToken') })).status).toBe(
        401,
      );
    });
  });

  it('is mailed; whoever opens it is told from whom it comes and how long it lasts', async () => {
    await world.service.directory.magicLink(ada, 'ledger', { mail: true });
    const mail = await world.outbox.nextMail();
    expect(linkIn(mail).url).toMatch(/^http:\/\/login\.payments\.localhost\/redirect\/[\w-]{43}$/);
    expect(mail.text).toContain('for 1 hour.');
  });
});

describe('where links lead', () => {
  const start = async (links: Partial<LinkOptions>): Promise<TestService> => {
    const world = await startTestService({ database: { folder: null }, links });
    await world.service.directory.upsertAccount(account());
    return world;
  };

  it('a magic link to the short host where there is one, a form to the sign-on', async () => {
    const world = await start({ signOnUrl: 'https://sso.test/', shortLinkUrl: 'https://go.test' });
    const magic = await world.service.directory.magicLink(ada, 'ledger');
    const form = await world.service.directory.resetLink(ada);
    await world.close();
    expect(magic.url).toBe(`https://go.test/${magic.id}`);
    expect(form.url).toBe(`https://sso.test/reset-password/${form.id}`);
  });

  it.each(['javascript:alert(1)', 'login.example.com', 'https://sso.test/?x=1'])(
    'never to %s: the service does not start',
    async (address) => {
      await expect(start({ signOnUrl: address })).rejects.toThrow('links.signOnUrl must be');
    },
  );
});
