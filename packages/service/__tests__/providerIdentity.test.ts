import type { ServiceContext } from '../src/core/context.ts';
import type { Tables } from '../src/core/database/tables.ts';
import type { AccountInput, DatabaseOptions } from '../src/index.ts';
import { connect } from '../src/platform/database/connect.ts';
import { findByUsername } from '../src/accounts/accounts.ts';
import { withCurrentCredentials } from '../src/session/withCurrentCredentials.ts';
import { bothDatabases } from './support/bothDatabases.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { random, scriptedIssuer, scriptedProvider } from './support/scriptedProvider.ts';
import { identityRefused, noAccess, outcome } from './support/secondStep.ts';
import {
  ada,
  account,
  describeService,
  startTestService,
  type TestResponse,
  type TestService,
  text,
} from './support/testService.ts';

describe('provider identity', () => {
  const bills = 'ada+bills@example.com';
  const hub = 'ada+hub@example.com';

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
  async function openProviderService(database: DatabaseOptions) {
    const provider = await scriptedProvider();
    provider.play({
      claims: (code) => JSON.parse(Buffer.from(code, 'base64url').toString()) as Record<string, unknown>,
    });
    const service: TestService = await startTestService({
      database,
      now: Date.now,
      providers: provider.options,
    });
    return {
      ...service,
      directory: service.directory,
      write: (changes: Partial<AccountInput> = {}) =>
        service.write({
          ...(changes.username === undefined ? {} : { email: changes.username }),
          password: null,
          methods: [{ method: 'google' }],
          ...changes,
        }),
      signIn: (subject: string, username = ada, email = ada): Promise<TestResponse> =>
        service.post('/auth/v1/token', { username, method: 'google', code: codeOf(subject, email) }),
      isRefreshed: async (session: TestResponse): Promise<boolean> =>
        (await service.refresh(text(session, 'refresh'))).status === 200,
    };
  }

  type ProviderService = Awaited<ReturnType<typeof openProviderService>>;

  describe.each(bothDatabases)('the identity that an account is bound to, on $name', ({ open }) => {
    let service: ProviderService;

    beforeAll(async () => {
      service = await openProviderService(await open());
    });
    afterAll(() => service.close());
    beforeEach(async () => {
      await service.directory.resetAll();
      await service.write();
    });

    const expectRefused = async (subject: string, username = ada, email = ada): Promise<void> => {
      expect(outcome(await service.signIn(subject, username, email))).toEqual([401, noAccess]);
    };
    const expectTaken = async (subject: string, username = ada, email = ada): Promise<TestResponse> => {
      const response = await service.signIn(subject, username, email);
      expect(response.status).toBe(200);
      return response;
    };

    it('is the first that signs in; a later owner of the address does not get the account', async () => {
      await expectTaken('person-1');
      await expectRefused('person-2');
      expect(service.log.text()).toContain('another identity');
      await expectTaken('person-1');
      expect((await service.directory.accounts.find(ada))?.identities).toEqual({
        google: { issuer: scriptedIssuer, subject: 'person-1' },
      });
    });

    it('no longer opens the account after it has lost the address', async () => {
      await expectTaken('person-1');
      await expectRefused('person-1', ada, 'ada@private.example');
    });

    it('is one of two identities that sign in first concurrently', async () => {
      const subjects = ['person-1', 'person-2', 'person-1', 'person-2'];
      const responses = await Promise.all(subjects.map((subject) => service.signIn(subject)));
      const bound = (await service.directory.accounts.find(ada))?.identities.google?.subject;
      expect(responses.map(({ status }) => status)).toEqual(
        subjects.map((one) => (one === bound ? 200 : 401)),
      );
    });

    it('verifies the identity again, and no other with the same address does', async () => {
      const bearer = text(await expectTaken('person-1'), 'token');
      const verify = (subject: string) =>
        service.post('/auth/v1/validate-password', { code: codeOf(subject) }, { bearer });
      expect(outcome(await verify('person-2'))).toEqual([401, identityRefused]);
      expect((await verify('person-1')).status).toBe(200);
    });

    describe('if the account’s address has a plus-suffix,', () => {
      it('is the address without it, unless that has its own account', async () => {
        await service.directory.accounts.remove(ada);
        await service.write({ username: bills });
        await expectTaken('person-1', bills);
        // A later account does not end the binding.
        await service.write();
        await expectTaken('person-1', bills);
      });

      it('is not an identity with its own account, signed in or not', async () => {
        await service.write({ username: bills });
        await expectRefused('person-1', bills);
        await expectTaken('person-1');
        await expectRefused('person-1', bills);
        await expectTaken('person-2', bills, bills);
      });

      it('is not one that opens another account, also for concurrent sign-ins', async () => {
        await service.directory.accounts.remove(ada);
        await service.write({ username: bills });
        await service.write({ username: hub });
        const responses = await Promise.all(
          [bills, hub].map((username) => service.signIn('person-1', username)),
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
      });
    });

    describe('and an administrator:', () => {
      it('a rewrite keeps it, unless the address or the provider changes', async () => {
        await expectTaken('person-1');
        await service.write({ firstName: 'Augusta', personas: {} });
        await service.write({ methods: [{ method: 'basic' }, { method: 'google' }] });
        await expectRefused('person-2');
        await service.write({ email: 'ada@elsewhere.example' });
        await service.write();
        await expectTaken('person-2');
        await service.write({ methods: [{ method: 'basic' }] });
        await service.write();
        await expectTaken('person-3');
      });

      it('a rewrite with another tenant removes it', async () => {
        const identity = { issuer: 'https://login.provider.test/a', subject: 's' };
        const identities = async () => (await service.directory.accounts.find(ada))?.identities;
        await service.write({ methods: [microsoft('a')] });
        await service.directory.accounts.bindIdentity(ada, 'microsoft', identity);
        await service.write({ methods: [microsoft('a')] });
        expect(await identities()).toEqual({ microsoft: identity });
        await service.write({ methods: [microsoft('b')] });
        expect(await identities()).toEqual({});
      });

      it('removing it ends sessions, and the next sign-in binds again', async () => {
        const former = await expectTaken('person-1');
        await service.directory.accounts.bindIdentity(ada, 'google', null);
        expect(await service.isRefreshed(former)).toBe(false);
        await expectTaken('person-2');
        await expectRefused('person-1');
      });

      it('binding it to a second account opens both', async () => {
        await service.write({ username: bills });
        await expectTaken('person-1');
        const { google = null } = (await service.directory.accounts.find(ada))?.identities ?? {};
        await service.directory.accounts.bindIdentity(bills, 'google', google);
        await expectTaken('person-1', bills);
        await expectTaken('person-1');
        await expectRefused('person-2', bills, bills);
        await expect(service.directory.accounts.bindIdentity('unknown', 'google', null)).rejects.toThrow(
          /no account/,
        );
      });

      it('removing it ends a set-up in progress', async () => {
        await service.write({ mustSetUpMfa: true });
        const setup = await expectTaken('person-1');
        const own = `/user-management/v1/users/${text(setup, 'uid')}`;
        const read = async () => (await service.get(own, { bearer: text(setup, 'mfaJWT') })).status;
        expect(await read()).toBe(200);
        await service.directory.accounts.bindIdentity(ada, 'google', null);
        expect(await read()).toBe(401);
      });
    });
  });

  describe('an identity that is removed between proof and session', () => {
    it('gets no session', async () => {
      const url = await newDatabase();
      const service = await openProviderService({ url });
      const aside = await connect<Tables>({ url }, recordingLogger().logger);
      try {
        await service.write();
        await service.signIn('person-1');
        const proven = await findByUsername(aside.db, ada);
        if (proven === null) throw new Error('There is no account.');
        await service.directory.accounts.bindIdentity(ada, 'google', null);
        const session = withCurrentCredentials(
          { db: aside.db } as ServiceContext,
          proven.user,
          'google',
          () => Promise.resolve('a session'),
        );
        await expect(session).rejects.toMatchObject({ status: 401, code: 'no_access' });
      } finally {
        await service.close();
        await aside.close();
      }
    });
  });
});

describeService('an account that an administrator rewrites', (service) => {
  const rewrite = (changes: Partial<AccountInput>) => service.write(changes);
  const isRefreshed = async (refresh: string) => (await service.refresh(refresh)).status === 200;

  beforeEach(async () => {
    await service.write();
  });

  it.each([
    ['nothing', {}],
    ['the names, the methods and the persona', { firstName: 'Augusta', personas: {}, methods: [] }],
  ])('otherwise in %s stays signed in, with the same password', async (_what, changes) => {
    const refresh = text(await service.signIn(), 'refresh');
    await rewrite(changes);
    expect(await isRefreshed(refresh)).toBe(true);
    await rewrite({});
    expect((await service.signIn()).status).toBe(200);
  });

  it('with no password, as before, stays signed in', async () => {
    await rewrite({ password: null });
    const { id } = await service.directory.links.magic(ada, 'ledger');
    const refresh = text(await service.exchange(id), 'refreshToken');
    await rewrite({ password: null });
    expect(await isRefreshed(refresh)).toBe(true);
  });

  it('keeps the links and sessions of other users', async () => {
    await rewrite({ username: 'bob@example.com' });
    const link = await service.directory.links.reset('bob@example.com');
    const refresh = text(await service.signIn({ username: 'bob@example.com' }), 'refresh');
    await rewrite({ password: 'Other-horse8', email: 'ada@elsewhere.example' });
    expect(await isRefreshed(refresh)).toBe(true);
    expect(await service.directory.links.isUntouched(link.id)).toBe(true);
  });

  it('keeps links and sessions with `accounts.ensure`', async () => {
    const link = await service.directory.links.reset(ada);
    const refresh = text(await service.signIn(), 'refresh');
    await service.directory.accounts.ensure(account({ password: 'Other-horse8', email: 'a@b.example' }));
    expect(await isRefreshed(refresh)).toBe(true);
    expect((await service.reset(link.id)).status).toBe(200);
    await service.outbox.nextMail();
  });
});
