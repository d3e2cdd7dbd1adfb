/** @jest-environment node */
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { IssuedLink, LinkOptions } from '../src/index.ts';
import { bothDatabases } from './support/bothDatabases.ts';
import {
  activate,
  anySegment,
  exchange,
  mangled,
  newPassword,
  openInvite,
  refusedLink,
  reset,
} from './support/links.ts';
import { aString } from './support/matchers.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { phone, verified } from './support/secondStep.ts';
import {
  account,
  type Answer,
  signIn,
  startTestService,
  type TestService,
  text,
} from './support/testService.ts';

jest.setTimeout(120_000);

describe.each(bothDatabases)('an invitation, on $name', ({ open }) => {
  const ina = 'ina@example.com';
  const invited = account({ username: ina, email: ina, firstName: '', lastName: '', password: null });
  let world: TestService;

  const invite = async (): Promise<string> => (await world.service.directory.inviteUser(ina)).id;

  beforeAll(async () => {
    world = await startTestService({ database: await open() });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(invited);
  });

  it('lets the invited user choose names and a password, and then sign in', async () => {
    expect((await signIn(world, { username: ina, password: newPassword })).status).toBe(401);
    const answer = await activate(world, await invite(), { firstName: ' Ina ', lastName: 'Vited' });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const session = await signIn(world, { username: ina, password: newPassword });
    expect(decodeJwt(text(session, 'token'))).toMatchObject({ firstName: 'Ina', username: ina });
    expect(await world.service.directory.findAccount(ina)).toMatchObject({
      lastName: 'Vited',
      lastReset: null,
    });
  });

  it('is mailed with the username and its lifetime', async () => {
    const { url } = await world.service.directory.inviteUser(ina, { mail: true });
    const mail = await world.outbox.nextMail();
    expect(mail).toMatchObject({ to: ina, subject: 'Activate your account' });
    expect(linkIn(mail).url).toBe(url);
    expect(url).toMatch(/^http:\/\/login\.payments\.localhost\/activate\/[\w-]{43}$/);
    expect(mail.text).toContain(`Your username is ${ina}.`);
    expect(mail.text).toContain('for 7 days.');
  });

  it('works once', async () => {
    const link = await invite();
    await activate(world, link);
    const again = await activate(world, link, { password: 'Third-secret9', confirm: 'Third-secret9' });
    expect([again.status, again.body]).toEqual([401, refusedLink]);
    expect((await signIn(world, { username: ina, password: newPassword })).status).toBe(200);
  });

  it('succeeds once for concurrent requests', async () => {
    const link = await invite();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_unused, index) => activate(world, link, { firstName: `Ina${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await world.service.directory.findAccount(ina)).toMatchObject({ firstName: `Ina${winner}` });
  });

  it('expires after seven days', async () => {
    const late = await invite();
    world.passSeconds(7 * 86_400);
    expect((await activate(world, late)).body).toEqual(refusedLink);
    const link = await invite();
    world.passSeconds(7 * 86_400 - 1);
    expect((await activate(world, link)).status).toBe(200);
  });

  it('is replaced by a newer one', async () => {
    const older = await invite();
    const newer = await invite();
    expect((await activate(world, older)).body).toEqual(refusedLink);
    expect((await activate(world, newer)).status).toBe(200);
  });

  it('is distinguished from other ids and other kinds of links', async () => {
    const link = await invite();
    await world.service.directory.upsertAccount(account());
    const foreign = [
      (await world.service.directory.resetLink('ada@example.com')).id,
      (await world.service.directory.inviteApiUser('Export')).id,
      (await world.service.directory.magicLink('ada@example.com', 'ledger')).id,
    ];
    for (const other of [...mangled(link), ...foreign]) {
      expect((await activate(world, other)).body).toEqual(refusedLink);
    }
    expect((await reset(world, link)).body).toEqual(refusedLink);
    expect((await activate(world, link)).status).toBe(200);
  });

  it.each([
    ['is not repeated correctly', { confirm: 'x' }, 'password_mismatch'],
    ['violates the rules', { password: 'Run-of-12345', confirm: 'Run-of-12345' }, 'password_rules'],
  ])('stays valid when the password %s', async (_what, changes, code) => {
    const link = await invite();
    const refused = await activate(world, link, changes);
    expect([refused.status, refused.body]).toMatchObject([400, { error: { code } }]);
    expect((await activate(world, link)).status).toBe(200);
  });

  it.each([
    ['no first name', { firstName: '' }],
    ['a blank first name', { firstName: ' \t' }],
    ['no last name', { lastName: '' }],
    ['a blank last name', { lastName: '\u3000' }],
    ['a control character in a name', { lastName: 'Vited\u009b2J' }],
  ])('stays valid with %s, and the names are requested', async (_what, changes) => {
    const link = await invite();
    const refused = await activate(world, link, changes);
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: { message: 'Please enter your first and last name.', code: 'invalid_request' } },
    ]);
    expect((await activate(world, link)).status).toBe(200);
  });

  it('does not change an account that got a password in the meantime', async () => {
    const link = await invite();
    await world.service.directory.upsertAccount({ ...invited, password: 'Correct-horse7' });
    expect((await activate(world, link)).body).toEqual(refusedLink);
    expect((await signIn(world, { username: ina })).status).toBe(200);
  });

  it('lets the owner in although an attacker has locked the username', async () => {
    await world.service.directory.lock(ina);
    await activate(world, await invite());
    expect((await signIn(world, { username: ina, password: newPassword })).status).toBe(200);
  });

  it('is issued only for accounts that sign in with a password and have none yet', async () => {
    const { directory } = world.service;
    await expect(directory.inviteUser('unknown@example.com')).rejects.toThrow('There is no account');
    await directory.upsertAccount(account());
    await expect(directory.inviteUser('ada@example.com')).rejects.toThrow('The account is active');
    await directory.upsertAccount(account({ password: null, methods: [{ method: 'google' }] }));
    await expect(directory.inviteUser('ada@example.com')).rejects.toThrow('does not sign in with a password');
  });
});

const gone = { error: { message: 'This link is invalid or has expired.', code: 'not_found' } };

describe.each(bothDatabases)('an API invitation, on $name', ({ open }) => {
  let world: TestService;

  const invite = async (): Promise<string> => (await world.service.directory.inviteApiUser('Export')).id;

  beforeAll(async () => {
    world = await startTestService({ database: await open() });
  });
  afterAll(() => world.close());

  it('returns key and secret once, uncached, and they match what is stored', async () => {
    const link = await invite();
    const answer = await openInvite(world, link);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [key, secret] = [text(answer, 'apiKey'), text(answer, 'apiSecret')];
    expect(Buffer.from(secret, 'base64url').byteLength).toBe(32);
    const again = await openInvite(world, link);
    expect([again.status, again.body]).toEqual([404, gone]);

    const { isApiSecret } = world.service.directory;
    expect(await isApiSecret(key, secret)).toBe(true);
    expect(await isApiSecret(key, `${secret}x`)).toBe(false);
    const other = await openInvite(world, await invite());
    expect(await isApiSecret(text(other, 'apiKey'), secret)).toBe(false);
    expect(world.log.text()).not.toContain(secret);
    expect(world.log.text()).not.toContain(link);
  });

  it('returns them to one of several concurrent requests', async () => {
    const link = await invite();
    const answers = await Promise.all(Array.from({ length: 8 }, () => openInvite(world, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(404)]);
  });

  it('is not consumed by HEAD or a preflight', async () => {
    const link = await invite();
    const path = `/user-management/v1/api-users/invite/link/${link}`;
    expect((await fetch(`${world.url}${path}`, { method: 'HEAD' })).status).toBe(404);
    await fetch(`${world.url}${path}`, {
      method: 'OPTIONS',
      headers: { Origin: 'http://login.payments.localhost', 'Access-Control-Request-Method': 'GET' },
    });
    expect((await openInvite(world, link)).status).toBe(200);
  });

  it('expires after seven days', async () => {
    const late = await invite();
    world.passSeconds(7 * 86_400);
    expect((await openInvite(world, late)).body).toEqual(gone);
  });

  it('is distinguished from other ids and other kinds of links', async () => {
    const link = await invite();
    await world.service.directory.upsertAccount(account());
    const foreign = (await world.service.directory.resetLink('ada@example.com')).id;
    for (const other of [...mangled(link), foreign]) {
      expect((await openInvite(world, other)).body).toEqual(gone);
    }
    expect((await openInvite(world, link)).status).toBe(200);
  });

  it('accepts any characters as an unknown link', async () => {
    await fc.assert(
      fc.asyncProperty(anySegment, async (segment) => {
        expect((await openInvite(world, segment)).status).toBe(404);
      }),
      { numRuns: 50 },
    );
  });

  it('is mailed to the given address', async () => {
    const { url } = await world.service.directory.inviteApiUser('Export', { mailTo: 'ops@example.com' });
    const mail = await world.outbox.nextMail();
    expect(mail).toMatchObject({ to: 'ops@example.com', subject: 'Your API key and secret' });
    expect(linkIn(mail).url).toBe(url);
    expect(url).toMatch(/^http:\/\/login\.payments\.localhost\/secret-key\/[\w-]{43}$/);
  });
});

describe('magic link', () => {
  const ada = 'ada@example.com';
  const ina = 'ina@example.com';
  const ledger = 'http://ledger.payments.localhost/';
  const signOnUrl = 'http://login.payments.localhost';

  describe.each(bothDatabases)('a magic link, on $name', ({ open }) => {
    let world: TestService;

    const toLedger = async (): Promise<string> => (await world.service.directory.magicLink(ada, 'ledger')).id;

    beforeAll(async () => {
      world = await startTestService({ database: await open() });
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      await world.service.directory.resetAll();
      await world.service.directory.upsertAccount(account());
      await world.service.directory.upsertAccount(account({ username: ina, email: ina, password: null }));
    });

    it('opens the application with a session that can be refreshed', async () => {
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

    it('is valid once, also for concurrent requests', async () => {
      const link = await toLedger();
      const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(world, link)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
      expect((await exchange(world, link)).body).toEqual(refusedLink);
    });

    it('expires after an hour', async () => {
      const late = await toLedger();
      world.passSeconds(3600);
      expect((await exchange(world, late)).body).toEqual(refusedLink);
    });

    it('is distinguished from other ids, and is not valid for a form', async () => {
      const link = await toLedger();
      for (const other of mangled(link)) expect((await exchange(world, other)).body).toEqual(refusedLink);
      expect((await reset(world, link)).body).toEqual(refusedLink);
      expect((await exchange(world, link)).status).toBe(200);
    });

    it.each([
      ['was given a second factor', { mfa: { type: 'mfa', secret: 'JBSWY3DPEHPK3PXP' } as const }],
      ['must set up a second factor', { mustSetUpMfa: true }],
      ['lost the application', { personas: { hub: [{ applicationUrl: 'http://hub.payments.localhost/' }] } }],
    ])('gives no session to a user who %s since', async (_what, changes) => {
      const link = await toLedger();
      await world.service.directory.upsertAccount(account(changes));
      expect((await exchange(world, link)).body).toEqual(refusedLink);
      await expect(toLedger()).rejects.toThrow();
    });

    it('gives no session to a user who has set up a second factor since', async () => {
      const bearer = text(await signIn(world), 'token');
      const authVerificationToken = await verified(world, bearer);
      const link = await toLedger();
      const number = { phone, countryCode: 'US', register: true, authVerificationToken };
      await world.post('/mfa/v1/sms-authy-add', number, { bearer });
      const code = { mfaCode: world.outbox.newestCode(), mfaRegistering: 'authy', authVerificationToken };
      expect((await world.post('/mfa/v1/validate-setup', code, { bearer })).status).toBe(200);
      expect((await exchange(world, link)).body).toEqual(refusedLink);
    });

    describe('to a form of the application', () => {
      const forms: readonly [
        string,
        (world: TestService) => Promise<IssuedLink>,
        (world: TestService, id: string) => Promise<Answer>,
      ][] = [
        ['activate', (it) => it.service.directory.inviteUser(ina, { magic: true }), activate],
        ['reset-password', (it) => it.service.directory.resetLink(ada, { magic: true }), reset],
        ['secret-key', (it) => it.service.directory.inviteApiUser('Export', { magic: true }), openInvite],
      ];

      it.each(forms)(
        'returns the form %s, once, and its id then works there, once',
        async (type, make, use) => {
          const { id } = await make(world);
          const answer = await exchange(world, id);
          const data = [
            { application: 'sign-on', applicationUrl: signOnUrl, metaData: { type }, redirectUrl: signOnUrl },
          ];
          expect([answer.status, answer.body]).toEqual([
            200,
            { data, token: aString, refreshToken: aString },
          ]);
          expect((await exchange(world, id)).body).toEqual(refusedLink);
          expect((await use(world, id)).status).toBe(200);
          expect((await use(world, id)).status).toBeGreaterThanOrEqual(400);
          if (type === 'reset-password') await world.outbox.nextMail();
        },
      );

      it.each(forms)(
        'works at the form %s without an exchange, and cannot be exchanged afterwards',
        async (type, make, use) => {
          const { id } = await make(world);
          expect((await use(world, id)).status).toBe(200);
          expect((await exchange(world, id)).body).toEqual(refusedLink);
          if (type === 'reset-password') await world.outbox.nextMail();
        },
      );

      it.each(forms)('gives no session for the form %s', async (_type, make) => {
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

    it('is mailed with the sender and the lifetime', async () => {
      await world.service.directory.magicLink(ada, 'ledger', { mail: true });
      const mail = await world.outbox.nextMail();
      expect(linkIn(mail).url).toMatch(/^http:\/\/login\.payments\.localhost\/redirect\/[\w-]{43}$/);
      expect(mail.text).toContain('for 1 hour.');
    });
  });

  describe('the address of a link', () => {
    const start = async (links: Partial<LinkOptions>): Promise<TestService> => {
      const world = await startTestService({ database: { folder: null }, links });
      await world.service.directory.upsertAccount(account());
      return world;
    };

    it('is on the short-link host for a magic link, if there is one, and on the login host for a form', async () => {
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
});
