import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { IssuedLink, LinkOptions } from '../src/index.ts';
import { anySegment, mangled, newPassword, refusedLink } from './support/links.ts';
import { aString } from './support/matchers.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { outcome } from './support/secondStep.ts';
import {
  ada,
  account,
  describeService,
  startTestService,
  type TestResponse,
  type TestService,
  text,
} from './support/testService.ts';

const ina = 'ina@example.com';
const gone = { error: { message: 'This link is invalid or has expired.', code: 'not_found' } };

interface Kind {
  readonly issue: (service: TestService) => Promise<IssuedLink>;
  /** Several uses of one link differ by their number. */
  readonly use: (service: TestService, id: string, number?: number) => Promise<TestResponse>;
  /** Whether what is stored is of the use with this number. */
  readonly isOf: (service: TestService, number: number) => Promise<boolean>;
  readonly seconds: number;
  readonly refusal: readonly [number, object];
}
const passwordOf = (number: number): string => `Many-secrets${number}`;
const kinds = {
  'an invitation': {
    issue: ({ directory }) => directory.links.inviteUser(ina),
    use: ({ activate }, id, number = 0) => activate(id, { firstName: `Ina${number}` }),
    isOf: async ({ directory }, number) => (await directory.accounts.find(ina))?.firstName === `Ina${number}`,
    seconds: 7 * 86_400,
    refusal: [401, refusedLink],
  },
  'a reset link': {
    issue: ({ directory }) => directory.links.reset(ada),
    use: ({ reset }, id, number = 0) =>
      reset(id, { password: passwordOf(number), confirm: passwordOf(number) }),
    isOf: async ({ signIn }, number) => (await signIn({ password: passwordOf(number) })).status === 200,
    seconds: 3600,
    refusal: [401, refusedLink],
  },
  'an API invitation': {
    issue: ({ directory }) => directory.links.inviteApiUser('Export'),
    use: ({ openInvite }, id) => openInvite(id),
    isOf: () => Promise.resolve(true),
    seconds: 7 * 86_400,
    refusal: [404, gone],
  },
  'a magic link': {
    issue: ({ directory }) => directory.links.magic(ada, 'ledger'),
    use: ({ exchange }, id) => exchange(id),
    isOf: () => Promise.resolve(true),
    seconds: 3600,
    refusal: [401, refusedLink],
  },
} satisfies Record<string, Kind>;
const all = Object.entries<Kind>(kinds);
const replaced = all.slice(0, 2);

describeService('a one-time link', (service) => {
  beforeEach(async () => {
    await service.write();
    await service.write({ username: ina, email: ina, firstName: '', lastName: '', password: null });
  });

  it.each(all)('%s works once, also for concurrent requests', async (_what, kind) => {
    const { id } = await kind.issue(service);
    const responses = await Promise.all(Array.from({ length: 6 }, (_use, n) => kind.use(service, id, n)));
    const [refused] = kind.refusal;
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(5).fill(refused)]);
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(outcome(await kind.use(service, id, 7))).toEqual(kind.refusal);
    expect(await kind.isOf(service, winner)).toBe(true);
  });

  it.each(all)('%s works until it expires', async (_what, { issue, use, ...kind }) => {
    const late = await issue(service);
    service.passSeconds(kind.seconds);
    expect(outcome(await use(service, late.id))).toEqual(kind.refusal);
    const { id } = await issue(service);
    service.passSeconds(kind.seconds - 1);
    expect((await use(service, id)).status).toBe(200);
  });

  it.each(replaced)('%s is replaced by a newer one', async (_what, { issue, use, refusal }) => {
    const [older, newer] = [await issue(service), await issue(service)];
    expect(outcome(await use(service, older.id))).toEqual(refusal);
    expect((await use(service, newer.id)).status).toBe(200);
  });

  it.each(all)('%s is distinguished from other ids and other kinds of links', async (_what, kind) => {
    const { id } = await kind.issue(service);
    const others = all.filter(([, other]) => other !== kind);
    const foreign = await Promise.all(others.map(([, { issue }]) => issue(service)));
    for (const other of [...mangled(id), ...foreign.map((link) => link.id)]) {
      expect(outcome(await kind.use(service, other))).toEqual(kind.refusal);
    }
    // The failed attempts did not consume the link.
    expect((await kind.use(service, id)).status).toBe(200);
  });

  it.each(['a reset link', 'an API invitation'] as const)('%s may be any characters', async (what) => {
    await fc.assert(
      fc.asyncProperty(anySegment, async (segment) => {
        expect(outcome(await kinds[what].use(service, segment))).toEqual(kinds[what].refusal);
      }),
      { numRuns: 50 },
    );
  });

  const badForms = [
    [
      'is not repeated correctly',
      { confirm: 'x' },
      'password_mismatch',
      'Please make sure your passwords match',
    ],
    [
      'violates the rules',
      { password: 'Run-of-12345', confirm: 'Run-of-12345' },
      'password_rules',
      'Please meet the password requirements',
    ],
  ] as const;
  it.each(badForms)('stays valid when the password %s', async (_what, changes, code, message) => {
    const refusal = [400, { error: { message, code } }];
    const [link, invitation] = [
      await service.directory.links.reset(ada),
      await service.directory.links.inviteUser(ina),
    ];
    expect(outcome(await service.reset(link.id, changes))).toEqual(refusal);
    expect((await service.signIn()).status).toBe(200);
    expect((await service.reset(link.id)).status).toBe(200);
    expect(outcome(await service.activate(invitation.id, changes))).toEqual(refusal);
    expect((await service.activate(invitation.id)).status).toBe(200);
  });
});

describeService('an invitation', (service) => {
  const invited = account({ username: ina, email: ina, firstName: '', lastName: '', password: null });

  const invite = async (): Promise<string> => (await service.directory.links.inviteUser(ina)).id;

  beforeEach(async () => {
    await service.directory.accounts.upsert(invited);
  });

  it('lets the invited user choose names and a password, and then sign in', async () => {
    expect((await service.signIn({ username: ina, password: newPassword })).status).toBe(401);
    const response = await service.activate(await invite(), { firstName: ' Ina ', lastName: 'Vited' });
    expect(outcome(response)).toEqual([200, {}]);
    const session = await service.signIn({ username: ina, password: newPassword });
    expect(decodeJwt(text(session, 'token'))).toMatchObject({ firstName: 'Ina', username: ina });
    expect(await service.directory.accounts.find(ina)).toMatchObject({ lastName: 'Vited', lastReset: null });
  });

  it('is mailed with the username and its lifetime', async () => {
    const { url } = await service.directory.links.inviteUser(ina, { mail: true });
    const mail = await service.outbox.nextMail();
    expect(mail).toMatchObject({ to: ina, subject: 'Activate your account' });
    expect(linkIn(mail).url).toBe(url);
    expect(url).toMatch(/^http:\/\/login\.payments\.localhost\/activate\/[\w-]{43}$/);
    expect(mail.text).toContain(`Your username is ${ina}.`);
    expect(mail.text).toContain('for 7 days.');
  });

  it.each([
    ['no first name', { firstName: '' }],
    ['a blank first name', { firstName: ' \t' }],
    ['no last name', { lastName: '' }],
    ['a blank last name', { lastName: '\u3000' }],
    ['a control character in a name', { lastName: 'Vited\u009b2J' }],
  ])('stays valid with %s, and the names are requested', async (_what, changes) => {
    const link = await invite();
    expect(outcome(await service.activate(link, changes))).toEqual([
      400,
      { error: { message: 'Please enter your first and last name.', code: 'invalid_request' } },
    ]);
    expect((await service.activate(link)).status).toBe(200);
  });

  it('lets the owner in although an attacker has locked the username', async () => {
    await service.directory.accounts.lock(ina);
    await service.activate(await invite());
    expect((await service.signIn({ username: ina, password: newPassword })).status).toBe(200);
  });

  it('is issued only for accounts that sign in with a password and have none yet', async () => {
    const { directory } = service;
    await expect(directory.links.inviteUser('unknown@example.com')).rejects.toThrow('There is no account');
    await service.write();
    await expect(directory.links.inviteUser(ada)).rejects.toThrow('The account is active');
    await service.write({ password: null, methods: [{ method: 'google' }] });
    await expect(directory.links.inviteUser(ada)).rejects.toThrow('does not sign in with a password');
  });
});

describeService('an API invitation', (service) => {
  const invite = async (): Promise<string> => (await service.directory.links.inviteApiUser('Export')).id;

  it('returns key and secret once, uncached, and they match what is stored', async () => {
    const link = await invite();
    const response = await service.openInvite(link);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [key, secret] = [text(response, 'apiKey'), text(response, 'apiSecret')];
    expect(Buffer.from(secret, 'base64url').byteLength).toBe(32);
    expect(outcome(await service.openInvite(link))).toEqual([404, gone]);

    const { isApiSecret } = service.directory.links;
    expect(await isApiSecret(key, secret)).toBe(true);
    expect(await isApiSecret(key, `${secret}x`)).toBe(false);
    const other = await service.openInvite(await invite());
    expect(await isApiSecret(text(other, 'apiKey'), secret)).toBe(false);
    expect(service.log.text()).not.toContain(secret);
    expect(service.log.text()).not.toContain(link);
  });

  it('is not consumed by HEAD or a preflight', async () => {
    const link = await invite();
    const path = `/user-management/v1/api-users/invite/link/${link}`;
    expect((await fetch(`${service.url}${path}`, { method: 'HEAD' })).status).toBe(404);
    await fetch(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers: { Origin: 'http://login.payments.localhost', 'Access-Control-Request-Method': 'GET' },
    });
    expect((await service.openInvite(link)).status).toBe(200);
  });

  it('is mailed to the given address', async () => {
    const { url } = await service.directory.links.inviteApiUser('Export', { mailTo: 'ops@example.com' });
    const mail = await service.outbox.nextMail();
    expect(mail).toMatchObject({ to: 'ops@example.com', subject: 'Your API key and secret' });
    expect(linkIn(mail).url).toBe(url);
    expect(url).toMatch(/^http:\/\/login\.payments\.localhost\/secret-key\/[\w-]{43}$/);
  });
});

describe('magic link', () => {
  const ledger = 'http://ledger.payments.localhost/';
  const signOnUrl = 'http://login.payments.localhost';

  describeService('a magic link', (service) => {
    const toLedger = async (): Promise<string> => (await service.directory.links.magic(ada, 'ledger')).id;

    beforeEach(async () => {
      await service.write();
      await service.write({ username: ina, email: ina, password: null });
    });

    it('opens the application with a session that can be refreshed', async () => {
      const response = await service.exchange(await toLedger());
      expect(outcome(response)).toEqual([
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
      expect(decodeJwt(text(response, 'token'))).toMatchObject({ username: ada, method: 'basic' });
      expect((await service.refresh(text(response, 'refreshToken'))).status).toBe(200);
    });

    it('can lead to a page of the application, and to no other site', async () => {
      const { directory } = service;
      const { id } = await directory.links.magic(ada, 'ledger', { redirectUrl: `${ledger}invoices/7` });
      expect((await service.exchange(id)).body).toMatchObject({
        data: [{ redirectUrl: `${ledger}invoices/7` }],
      });
      for (const redirectUrl of ['http://evil.test/', 'javascript:alert(1)', '//evil.test', 'no address']) {
        await expect(directory.links.magic(ada, 'ledger', { redirectUrl })).rejects.toThrow(
          'not one of the application',
        );
      }
    });

    it.each([
      ['has a second factor', { mfa: { type: 'mfa', secret: 'JBSWY3DPEHPK3PXP' } as const }],
      ['must set up a second factor', { mustSetUpMfa: true }],
      [
        'does not have the application',
        { personas: { hub: [{ applicationUrl: 'http://hub.payments.localhost/' }] } },
      ],
    ])('is not issued to a user who %s', async (_what, changes) => {
      await service.write(changes);
      await expect(toLedger()).rejects.toThrow();
    });

    it('gives no session to a user who has set up a second factor since', async () => {
      const { bearer } = await service.signedIn();
      const link = await toLedger();
      const verification = await service.verified(bearer);
      await service.addPhone(bearer, verification);
      const code = service.outbox.newestCode();
      expect((await service.validatePhone(bearer, code, verification)).status).toBe(200);
      expect((await service.exchange(link)).body).toEqual(refusedLink);
    });

    describe('to a form of the application', () => {
      const forms: readonly [
        string,
        (service: TestService) => Promise<IssuedLink>,
        (service: TestService, id: string) => Promise<TestResponse>,
      ][] = [
        [
          'activate',
          (it) => it.directory.links.inviteUser(ina, { magic: true }),
          (it, id) => it.activate(id),
        ],
        ['reset-password', (it) => it.directory.links.reset(ada, { magic: true }), (it, id) => it.reset(id)],
        [
          'secret-key',
          (it) => it.directory.links.inviteApiUser('Export', { magic: true }),
          (it, id) => it.openInvite(id),
        ],
      ];

      it.each(forms)(
        'returns the form %s, once, and its id then works there, once',
        async (type, make, use) => {
          const { id } = await make(service);
          const response = await service.exchange(id);
          const data = [
            { application: 'sign-on', applicationUrl: signOnUrl, metaData: { type }, redirectUrl: signOnUrl },
          ];
          expect(outcome(response)).toEqual([200, { data, token: aString, refreshToken: aString }]);
          expect((await service.exchange(id)).body).toEqual(refusedLink);
          expect((await use(service, id)).status).toBe(200);
          expect((await use(service, id)).status).toBeGreaterThanOrEqual(400);
          if (type === 'reset-password') await service.outbox.nextMail();
        },
      );

      it.each(forms)(
        'works at the form %s without an exchange, and cannot be exchanged afterwards',
        async (type, make, use) => {
          const { id } = await make(service);
          expect((await use(service, id)).status).toBe(200);
          expect((await service.exchange(id)).body).toEqual(refusedLink);
          if (type === 'reset-password') await service.outbox.nextMail();
        },
      );

      it.each(forms)('gives no session for the form %s', async (_type, make) => {
        const response = await service.exchange((await make(service)).id);
        const token = text(response, 'token');
        expect([decodeProtectedHeader(token).typ, decodeJwt(token)]).toMatchObject(['empty+jwt', {}]);
        expect(decodeJwt(token)).not.toHaveProperty('uid');
        expect((await service.get('/user-management/v1/users/any', { bearer: token })).status).toBe(401);
        expect((await service.refresh(text(response, 'refreshToken'))).status).toBe(401);
      });
    });
  });

  describe('the address of a link', () => {
    const start = async (links: Partial<LinkOptions>): Promise<TestService> => {
      const service = await startTestService({ links });
      await service.write();
      return service;
    };

    it('is on the short-link host for a magic link, if there is one, and on the login host for a form', async () => {
      const service = await start({ signOnUrl: 'https://sso.test/', shortLinkUrl: 'https://go.test' });
      const magic = await service.directory.links.magic(ada, 'ledger');
      const form = await service.directory.links.reset(ada);
      await service.close();
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
