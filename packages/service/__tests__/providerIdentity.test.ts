/** @jest-environment node */
import type { AccountInput, DatabaseOptions } from '../src/index.ts';
import { connect } from '../src/database/connect.ts';
import { findByUsername } from '../src/accounts/accounts.ts';
import { withCurrentCredentials } from '../src/session/withCurrentCredentials.ts';
import { random } from '@vestibule/local/testing/providerFlow';
import { bothDatabases } from './support/bothDatabases.ts';
import { activate, exchange, refusedLink, reset } from './support/links.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { scriptedIssuer, scriptedProvider } from './support/scriptedProvider.ts';
import { identityRefused, outcome } from './support/secondStep.ts';
import {
  account,
  type Answer,
  signIn,
  startTestService,
  type TestService,
  text,
} from './support/testService.ts';

jest.setTimeout(120_000);

describe('provider identity', () => {
  const ada = 'ada@example.com';
  const bills = 'ada+bills@example.com';
  const hub = 'ada+hub@example.com';
  const noAccess = [401, { error: { message: 'Your account has no access', code: 'no_access' } }];

  const microsoft = (tenant: string) =>
    ({
      method: 'microsoft',
      configuration: { tenantId: `${tenant.repeat(8)}-0000-4000-8000-000000000000`, clientId: 'client-1' },
    }) as const;

  /** A code that a provider gave to this identity; the address may belong, or have belonged, to another. */
  function codeOf(subject: string, email = ada): string {
    const claims = { sub: subject, email, auth_time: Math.floor(Date.now() / 1000), jti: random() };
    return Buffer.from(JSON.stringify(claims)).toString('base64url');
  }

  /** A service with a provider that returns the identity named in the code. */
  async function openWorld(database: DatabaseOptions) {
    const provider = await scriptedProvider();
    provider.play({
      claims: (code) => JSON.parse(Buffer.from(code, 'base64url').toString()) as Record<string, unknown>,
    });
    const world: TestService = await startTestService({
      database,
      now: Date.now,
      providers: provider.options,
    });
    return {
      ...world,
      directory: world.service.directory,
      write: (changes: Partial<AccountInput> = {}) =>
        world.service.directory.upsertAccount(
          account({
            ...(changes.username === undefined ? {} : { email: changes.username }),
            password: null,
            methods: [{ method: 'google' }],
            ...changes,
          }),
        ),
      signIn: (subject: string, username = ada, email = ada): Promise<Answer> =>
        world.post('/auth/v1/token', { username, method: 'google', code: codeOf(subject, email) }),
      isRefreshed: async (session: Answer): Promise<boolean> =>
        (await world.post('/auth/v1/refresh', { refresh: text(session, 'refresh') })).status === 200,
    };
  }

  type World = Awaited<ReturnType<typeof openWorld>>;

  describe.each(bothDatabases)('the identity that an account is bound to, on $name', ({ open }) => {
    let world: World;

    beforeAll(async () => {
      world = await openWorld(await open());
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      await world.directory.resetAll();
      await world.write();
    });

    const expectRefused = async (subject: string, username = ada, email = ada): Promise<void> => {
      expect(outcome(await world.signIn(subject, username, email))).toEqual(noAccess);
    };
    const expectTaken = async (subject: string, username = ada, email = ada): Promise<Answer> => {
      const answer = await world.signIn(subject, username, email);
      expect(answer.status).toBe(200);
      return answer;
    };

    it('is the first that signs in; a later owner of the address does not get the account', async () => {
      await expectTaken('person-1');
      await expectRefused('person-2');
      expect(world.log.text()).toContain('another identity');
      await expectTaken('person-1');
      expect((await world.directory.findAccount(ada))?.identities).toEqual({
        google: { issuer: scriptedIssuer, subject: 'person-1' },
      });
    });

    it('no longer opens the account after it has lost the address', async () => {
      await expectTaken('person-1');
      await expectRefused('person-1', ada, 'ada@private.example');
    });

    it('is one of two identities that sign in first concurrently', async () => {
      const subjects = ['person-1', 'person-2', 'person-1', 'person-2'];
      const answers = await Promise.all(subjects.map((subject) => world.signIn(subject)));
      const bound = (await world.directory.findAccount(ada))?.identities.google?.subject;
      expect(answers.map(({ status }) => status)).toEqual(subjects.map((one) => (one === bound ? 200 : 401)));
    });

    it('verifies the identity again, and no other with the same address does', async () => {
      const bearer = text(await expectTaken('person-1'), 'token');
      const verify = (subject: string) =>
        world.post('/auth/v1/validate-password', { code: codeOf(subject) }, { bearer });
      expect(outcome(await verify('person-2'))).toEqual([401, identityRefused]);
      expect((await verify('person-1')).status).toBe(200);
    });

    describe('if the account’s address has a plus-suffix,', () => {
      it('is the address without it, unless that has its own account', async () => {
        await world.directory.removeAccount(ada);
        await world.write({ username: bills });
        await expectTaken('person-1', bills);
        // A later account does not end the binding.
        await world.write();
        await expectTaken('person-1', bills);
      });

      it('is not an identity with its own account, signed in or not', async () => {
        await world.write({ username: bills });
        await expectRefused('person-1', bills);
        await expectTaken('person-1');
        await expectRefused('person-1', bills);
        await expectTaken('person-2', bills, bills);
      });

      it('is not one that opens another account, also for concurrent sign-ins', async () => {
        await world.directory.removeAccount(ada);
        await world.write({ username: bills });
        await world.write({ username: hub });
        const answers = await Promise.all([bills, hub].map((username) => world.signIn('person-1', username)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      });
    });

    describe('and an administrator:', () => {
      it('a rewrite keeps it, unless the address or the provider changes', async () => {
        await expectTaken('person-1');
        await world.write({ firstName: 'Augusta', personas: {} });
        await world.write({ methods: [{ method: 'basic' }, { method: 'google' }] });
        await expectRefused('person-2');
        await world.write({ email: 'ada@elsewhere.example' });
        await world.write();
        await expectTaken('person-2');
        await world.write({ methods: [{ method: 'basic' }] });
        await world.write();
        await expectTaken('person-3');
      });

      it('a rewrite with another tenant removes it', async () => {
        const identity = { issuer: 'https://login.provider.test/a', subject: 's' };
        const identities = async () => (await world.directory.findAccount(ada))?.identities;
        await world.write({ methods: [microsoft('a')] });
        await world.directory.bindIdentity(ada, 'microsoft', identity);
        await world.write({ methods: [microsoft('a')] });
        expect(await identities()).toEqual({ microsoft: identity });
        await world.write({ methods: [microsoft('b')] });
        expect(await identities()).toEqual({});
      });

      it('removing it ends sessions, and the next sign-in binds again', async () => {
        const former = await expectTaken('person-1');
        await world.directory.bindIdentity(ada, 'google', null);
        expect(await world.isRefreshed(former)).toBe(false);
        await expectTaken('person-2');
        await expectRefused('person-1');
      });

      it('binding it to a second account opens both', async () => {
        await world.write({ username: bills });
        await expectTaken('person-1');
        const { google = null } = (await world.directory.findAccount(ada))?.identities ?? {};
        await world.directory.bindIdentity(bills, 'google', google);
        await expectTaken('person-1', bills);
        await expectTaken('person-1');
        await expectRefused('person-2', bills, bills);
        await expect(world.directory.bindIdentity('unknown', 'google', null)).rejects.toThrow(/no account/);
      });

      it('removing it ends a set-up in progress', async () => {
        await world.write({ mustSetUpMfa: true });
        const setup = await expectTaken('person-1');
        const own = `/user-management/v1/users/${text(setup, 'uid')}`;
        const read = async () => (await world.get(own, { bearer: text(setup, 'mfaJWT') })).status;
        expect(await read()).toBe(200);
        await world.directory.bindIdentity(ada, 'google', null);
        expect(await read()).toBe(401);
      });
    });
  });

  describe('an identity that is removed between proof and session', () => {
    it('gets no session', async () => {
      const url = await newDatabase();
      const world = await openWorld({ url });
      const aside = await connect({ url }, recordingLogger().logger);
      try {
        await world.write();
        await world.signIn('person-1');
        const proven = await findByUsername(aside.db, ada);
        if (proven === null) throw new Error('There is no account.');
        await world.directory.bindIdentity(ada, 'google', null);
        const session = withCurrentCredentials(aside, proven.user, 'google', () =>
          Promise.resolve('a session'),
        );
        await expect(session).rejects.toMatchObject({ status: 401, code: 'no_access' });
      } finally {
        await world.close();
        await aside.close();
      }
    });
  });
});

describe.each(bothDatabases)('an account that an administrator rewrites, on $name', ({ open }) => {
  const ada = 'ada@example.com';
  const otherwise: readonly [what: string, changes: Partial<AccountInput>][] = [
    ['another password', { password: 'Other-horse8' }],
    ['no password', { password: null }],
    ['another e-mail', { email: 'ada@elsewhere.example' }],
  ];
  const alike: readonly [what: string, changes: Partial<AccountInput>][] = [
    ['nothing', {}],
    ['the names, the methods and the persona', { firstName: 'Augusta', personas: {}, methods: [] }],
  ];
  let world: TestService;

  const rewrite = (changes: Partial<AccountInput>) => world.service.directory.upsertAccount(account(changes));
  const isRefreshed = async (refresh: string): Promise<boolean> =>
    (await world.post('/auth/v1/refresh', { refresh })).status === 200;

  beforeAll(async () => {
    world = await startTestService({ database: await open() });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(account());
  });

  it.each([...otherwise, ...alike])('with %s has no open links', async (_what, changes) => {
    const { directory } = world.service;
    const [link, magic] = [await directory.resetLink(ada), await directory.magicLink(ada, 'ledger')];
    await rewrite(changes);
    // The account as before: the links are rejected for no other reason.
    await rewrite({});
    expect((await reset(world, link.id)).body).toEqual(refusedLink);
    expect((await exchange(world, magic.id)).body).toEqual(refusedLink);
    expect(await directory.isLinkUntouched(link.id)).toBe(false);
  });

  it('under another e-mail cannot be activated by the earlier invitation', async () => {
    await rewrite({ password: null });
    const { id } = await world.service.directory.inviteUser(ada);
    await rewrite({ password: null, email: 'ada@elsewhere.example' });
    expect((await activate(world, id)).body).toEqual(refusedLink);
  });

  it.each(otherwise)('with %s is signed out everywhere', async (_what, changes) => {
    const session = await signIn(world);
    const own = `/user-management/v1/users/${(await rewrite({})).uid}`;
    expect((await world.get(own, { bearer: text(session, 'token') })).status).toBe(200);
    await rewrite(changes);
    expect(await isRefreshed(text(session, 'refresh'))).toBe(false);
    expect((await world.get(own, { bearer: text(session, 'token') })).status).toBe(401);
  });

  it.each(alike)('otherwise in %s stays signed in, with the same password', async (_what, changes) => {
    const refresh = text(await signIn(world), 'refresh');
    await rewrite(changes);
    expect(await isRefreshed(refresh)).toBe(true);
    await rewrite({});
    expect((await signIn(world)).status).toBe(200);
  });

  it('with no password, as before, stays signed in', async () => {
    await rewrite({ password: null });
    const { id } = await world.service.directory.magicLink(ada, 'ledger');
    const refresh = text(await exchange(world, id), 'refreshToken');
    await rewrite({ password: null });
    expect(await isRefreshed(refresh)).toBe(true);
  });

  it.each(otherwise)('with %s rejects earlier set-up tokens', async (_what, changes) => {
    await rewrite({ mustSetUpMfa: true });
    const setup = await signIn(world);
    const own = `/user-management/v1/users/${text(setup, 'uid')}`;
    const isRead = async () => (await world.get(own, { bearer: text(setup, 'mfaJWT') })).status === 200;
    await rewrite({ mustSetUpMfa: true });
    expect(await isRead()).toBe(true);
    await rewrite({ mustSetUpMfa: true, ...changes });
    expect(await isRead()).toBe(false);
  });

  it('keeps the links and sessions of other users', async () => {
    await rewrite({ username: 'bob@example.com' });
    const link = await world.service.directory.resetLink('bob@example.com');
    const refresh = text(await signIn(world, { username: 'bob@example.com' }), 'refresh');
    await rewrite({ password: 'Other-horse8', email: 'ada@elsewhere.example' });
    expect(await isRefreshed(refresh)).toBe(true);
    expect(await world.service.directory.isLinkUntouched(link.id)).toBe(true);
  });

  it('keeps links and sessions with ensureAccount', async () => {
    const link = await world.service.directory.resetLink(ada);
    const refresh = text(await signIn(world), 'refresh');
    await world.service.directory.ensureAccount(account({ password: 'Other-horse8', email: 'a@b.example' }));
    expect(await isRefreshed(refresh)).toBe(true);
    expect((await reset(world, link.id)).status).toBe(200);
    await world.outbox.nextMail();
  });
});
