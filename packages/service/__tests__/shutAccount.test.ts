import type { AccountInput, IssuedLink } from '../src/index.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { random, scriptedProvider } from './support/scriptedProvider.ts';
import { noAccess, outcome, sms } from './support/secondStep.ts';
import { ada, startTestService, type TestResponse, type TestService, text } from './support/testService.ts';

/** Tries what the intruder holds at one process of the service. @returns whether it opens anything. */
type Use = (service: TestService) => Promise<boolean>;

describe('what an intruder holds of an account, at two processes of the service', () => {
  let url: string;
  let one: TestService;
  let other: TestService;

  beforeAll(async () => {
    url = await newDatabase();
    const { options: providers } = await scriptedProvider();
    const start = () => startTestService({ database: { url }, now: Date.now, providers });
    [one, other] = await Promise.all([start(), start()]);
  });
  afterAll(() => Promise.all([one.close(), other.close()]));
  beforeEach(() => one.directory.resetAll());

  const isTaken = async (response: Promise<TestResponse>) => (await response).status === 200;
  const asBearer = (bearer: string) => async (service: TestService) =>
    isTaken(service.get(`/user-management/v1/users/${await uidOf()}`, { bearer }));
  const uidOf = async (): Promise<string | undefined> => (await one.directory.accounts.find(ada))?.uid;
  const provided = ({ post }: TestService): Promise<TestResponse> =>
    post('/auth/v1/token', { username: ada, method: 'google', code: random() });

  const link = async (
    issued: Promise<IssuedLink>,
    callOf: (service: TestService) => (id: string) => Promise<TestResponse>,
  ): Promise<Use> => {
    const { id } = await issued;
    return (service) => isTaken(callOf(service)(id));
  };

  /** How each is taken, from an account with these changes. */
  const holdings: Readonly<
    Record<string, readonly [changes: Partial<AccountInput>, take: () => Promise<Use>]>
  > = {
    'a session token': [{}, async () => asBearer(text(await one.signIn(), 'token'))],
    'a refresh token': [
      {},
      async () => {
        const refresh = text(await one.signIn(), 'refresh');
        return (service) => isTaken(service.refresh(refresh));
      },
    ],
    'the trust in a device': [
      { mfa: sms },
      async () => {
        const trustedJWT = await one.directory.accounts.trustDevice(ada);
        return async (service) => 'token' in (await service.signIn({ trustedJWT })).body;
      },
    ],
    'a challenge and its code': [
      { mfa: sms },
      async () => {
        const [challenge, code] = [await one.challenge(), one.outbox.newestCode()];
        return (service) => isTaken(service.enterCode(challenge, code));
      },
    ],
    'a verified identity': [
      {},
      async () => {
        const bearer = text(await one.signIn(), 'token');
        const authVerificationToken = await one.verified(bearer);
        return (service) => isTaken(service.addApp(bearer, authVerificationToken));
      },
    ],
    'a set-up token': [{ mustSetUpMfa: true }, async () => asBearer(text(await one.signIn(), 'mfaJWT'))],
    'a magic link into an application': [
      {},
      () => link(one.directory.links.magic(ada, 'ledger'), ({ exchange }) => exchange),
    ],
    'a magic link to a form': [
      {},
      () => link(one.directory.links.reset(ada, { magic: true }), ({ exchange }) => exchange),
    ],
    'a reset link': [{}, () => link(one.directory.links.reset(ada), ({ reset }) => reset)],
    'an invitation': [
      { password: null },
      () => link(one.directory.links.inviteUser(ada), ({ activate }) => activate),
    ],
    'an API invitation in the mailbox': [
      {},
      () =>
        link(
          one.directory.links.inviteApiUser('Export', { mailTo: 'Ada@Example.com' }),
          ({ openInvite }) => openInvite,
        ),
    ],
  };
  const ownProofs: typeof holdings = {
    'the password': [{}, () => Promise.resolve((service) => isTaken(service.signIn()))],
    'the identity at a provider': [
      { methods: [{ method: 'google' }] },
      () => Promise.resolve((service) => isTaken(provided(service))),
    ],
  };

  /** @returns what is held of a new account, when the same has opened another one. */
  const hold = async ([changes, take]: (typeof holdings)[string]): Promise<Use> => {
    await one.write(changes);
    expect(await (await take())(other)).toBe(true);
    await one.write(changes);
    return take();
  };
  const isOpen = async (use: Use): Promise<readonly boolean[]> => [await use(other), await use(one)];

  const byMail = 'an API invitation in the mailbox';
  /** How an account is shut or changed, and what is kept or cannot be held then. */
  const endings: readonly {
    readonly how: string;
    readonly end: (changes: Partial<AccountInput>) => Promise<unknown>;
    readonly exempt?: readonly string[];
  }[] = [
    { how: 'its sessions were ended', end: () => one.directory.accounts.endSessions(ada) },
    { how: 'it was disabled', end: () => one.directory.accounts.disable(ada) },
    { how: 'it was removed', end: () => one.directory.accounts.remove(ada), exempt: [byMail] },
    {
      how: 'its password was reset',
      end: async () => one.reset((await one.directory.links.reset(ada)).id),
      exempt: [byMail, 'an invitation'],
    },
    {
      how: 'it was written with another password',
      end: (changes) => one.write({ ...changes, password: 'Other-horse8' }),
      exempt: [byMail],
    },
    {
      how: 'it was written without a password',
      end: (changes) => one.write({ ...changes, password: null }),
      exempt: [byMail],
    },
    {
      how: 'it was written with another e-mail',
      end: (changes) => one.write({ ...changes, email: 'ada@elsewhere.example' }),
      exempt: [byMail],
    },
    {
      how: 'it was written with other names',
      end: (changes) => one.write({ ...changes, firstName: 'Augusta', personas: {} }),
      exempt: [byMail, 'a session token', 'a refresh token', 'a verified identity', 'a set-up token'],
    },
  ];

  describe.each(endings)('after $how', ({ end, exempt = [] }) => {
    const ended = Object.entries(holdings).filter(([what]) => !exempt.includes(what));
    it.each(ended)('%s opens nothing, nor when the account is as before', async (what, held) => {
      const use = await hold(held);
      const { uid = '' } = (await one.directory.accounts.find(ada)) ?? {};
      await end(held[0]);
      expect(await isOpen(use)).toEqual([false, false]);
      // It belongs to an e-mail, which may come back.
      if (what === 'a set-up token') return;
      await one.write({ ...held[0], uid });
      await one.directory.accounts.enable(ada);
      expect(await isOpen(use)).toEqual([false, false]);
    });
  });

  // A process of the release before, which does not know disabled accounts, may have given it out since.
  it.each(Object.entries(holdings).filter(([what]) => !what.startsWith('an API')))(
    '%s opens nothing while it is disabled, whenever it was given out',
    async (_what, held) => {
      const use = await hold(held);
      await withClient(url, (client) => client.query('update users set disabled_at = now()'));
      expect(await isOpen(use)).toEqual([false, false]);
    },
  );

  it.each(Object.entries(ownProofs))('%s opens nothing while it is disabled', async (_what, held) => {
    const use = await hold(held);
    await one.directory.accounts.endSessions(ada);
    expect(await isOpen(use)).toEqual([true, true]);
    await one.directory.accounts.disable(ada);
    expect(await isOpen(use)).toEqual([false, false]);
    await one.directory.accounts.enable(ada);
    expect(await isOpen(use)).toEqual([true, true]);
  });
});

describe('a disabled account', () => {
  let service: TestService;
  let uid: string;
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    await service.directory.resetAll();
    ({ uid } = await service.write());
  });
  afterAll(() => service.close());

  it('answers a wrong password as before, and says only after the right one that there is no access', async () => {
    const wrong = await service.signIn({ password: 'Wrong-horse7' });
    await service.directory.accounts.disable(ada);
    expect(outcome(await service.signIn({ password: 'Wrong-horse7' }))).toEqual(outcome(wrong));
    expect((await service.get(`/auth/v1/method/${ada}`)).body).toEqual({ 0: { method: 'basic' } });
    // The right one locks no one out, nor does it make the network a known one.
    for (let tries = 0; tries < 6; tries += 1)
      expect(outcome(await service.signIn())).toEqual([401, noAccess]);
    await service.directory.accounts.enable(ada);
    await service.directory.accounts.lock(ada);
    expect((await service.signIn()).status).toBe(429);
  });

  it('gets no mail with a link, and no link from an administrator', async () => {
    const { directory } = service;
    await directory.accounts.disable(ada);
    expect((await service.forgot(ada)).status).toBe(200);
    for (const link of [() => directory.links.reset(ada), () => directory.links.magic(ada, 'ledger')])
      await expect(link()).rejects.toThrow('The account is disabled.');
    // What an answer leaves to do is done when the service ends.
    await service.close();
    expect(service.outbox.unreadMails()).toEqual([]);
    service = await startTestService();
  });

  it('stays so when it is written again; the audit log says who did what', async () => {
    const { directory } = service;
    await directory.accounts.disable(ada);
    const since = new Date(service.now());
    service.passSeconds(60);
    await directory.accounts.disable(ada);
    await service.write({ firstName: 'Augusta' });
    expect((await directory.accounts.find(ada))?.disabledAt).toEqual(since);
    await directory.accounts.enable(ada);
    const events: string[] = [];
    for await (const { event, uid: whose } of directory.auditLog.read())
      if (whose === uid) events.push(event);
    expect(events).toEqual([
      'account-written',
      'account-disabled',
      'account-disabled',
      'account-written',
      'account-enabled',
    ]);
  });
});
