/** @jest-environment node */
import type { AccountInput, DatabaseOptions } from '../../service';
import { connect } from '../../service/database/connect';
import { findByUsername } from '../../service/directory/accounts';
import { whileProofStands } from '../../service/session/whileProofStands';
import { random } from '../local/support/providerFlow';
import { bothDatabases } from './support/bothDatabases';
import { newDatabase } from './support/postgres';
import { recordingLogger } from './support/recordingLogger';
import { scriptedIssuer, scriptedProvider } from './support/scriptedProvider';
import { identityRefused, outcome } from './support/secondStep';
import { account, startTestService, text, type Answer, type TestService } from './support/testService';

jest.setTimeout(120_000);

const ada = 'ada@example.com';
const bills = 'ada+bills@example.com';
const hub = 'ada+hub@example.com';
const noAccess = [401, { error: { message: 'Your account has no access', code: 'no_access' } }];

const microsoft = (tenant: string) =>
  ({
    method: 'microsoft',
    configuration: { tenantId: `${tenant.repeat(8)}-0000-4000-8000-000000000000`, clientId: 'client-1' },
  }) as const;

/** A code that a provider gave to this person; the address is another's, or has become theirs. */
function codeOf(subject: string, email = ada): string {
  const claims = { sub: subject, email, auth_time: Math.floor(Date.now() / 1000), jti: random() };
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

/** A service with a provider at which everybody is whom their code names. */
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
  let closeDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await open();
    closeDatabase = database.close;
    world = await openWorld(database.options);
  });
  afterAll(async () => {
    await world.close();
    await closeDatabase();
  });
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

  it('is the first that signs in; whoever has the address after it does not inherit the account', async () => {
    await expectTaken('person-1');
    await expectRefused('person-2');
    expect(world.log.text()).toContain('another identity');
    await expectTaken('person-1');
    expect((await world.directory.findAccount(ada))?.identities).toEqual({
      google: { issuer: scriptedIssuer, subject: 'person-1' },
    });
  });

  it('opens the account no longer once it has lost the address', async () => {
    await expectTaken('person-1');
    await expectRefused('person-1', ada, 'ada@private.example');
  });

  it('is one, of two people who sign in first at the same time', async () => {
    const people = ['person-1', 'person-2', 'person-1', 'person-2'];
    const answers = await Promise.all(people.map((subject) => world.signIn(subject)));
    const bound = (await world.directory.findAccount(ada))?.identities.google?.subject;
    expect(answers.map(({ status }) => status)).toEqual(people.map((one) => (one === bound ? 200 : 401)));
  });

  it('proves itself again, and nobody else with the address does', async () => {
    const bearer = text(await expectTaken('person-1'), 'token');
    const verify = (subject: string) =>
      world.post('/auth/v1/validate-password', { code: codeOf(subject) }, { bearer });
    expect(outcome(await verify('person-2'))).toEqual([401, identityRefused]);
    expect((await verify('person-1')).status).toBe(200);
  });

  describe('where the account’s address has a plus-suffix,', () => {
    it('is the one without it, as long as that has no account of its own', async () => {
      await world.directory.removeAccount(ada);
      await world.write({ username: bills });
      await expectTaken('person-1', bills);
      // An account that comes later takes nothing away.
      await world.write();
      await expectTaken('person-1', bills);
    });

    it('is not somebody who has an account of their own, signed in or not', async () => {
      await world.write({ username: bills });
      await expectRefused('person-1', bills);
      await expectTaken('person-1');
      await expectRefused('person-1', bills);
      await expectTaken('person-2', bills, bills);
    });

    it('is not one that opens another account, also when both are opened at the same time', async () => {
      await world.directory.removeAccount(ada);
      await world.write({ username: bills });
      await world.write({ username: hub });
      const answers = await Promise.all([bills, hub].map((username) => world.signIn('person-1', username)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    });
  });

  describe('and an administrator:', () => {
    it('a rewrite keeps it, unless the address or the provider is another', async () => {
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

    it('a rewrite ends it with another tenant', async () => {
      const identity = { issuer: 'https://login.provider.test/a', subject: 's' };
      const identities = async () => (await world.directory.findAccount(ada))?.identities;
      await world.write({ methods: [microsoft('a')] });
      await world.directory.bindIdentity(ada, 'microsoft', identity);
      await world.write({ methods: [microsoft('a')] });
      expect(await identities()).toEqual({ microsoft: identity });
      await world.write({ methods: [microsoft('b')] });
      expect(await identities()).toEqual({});
    });

    it('taking it away ends its sessions, and the next who signs in is the first', async () => {
      const former = await expectTaken('person-1');
      await world.directory.bindIdentity(ada, 'google', null);
      expect(await world.isRefreshed(former)).toBe(false);
      await expectTaken('person-2');
      await expectRefused('person-1');
    });

    it('giving it to a second account opens both', async () => {
      await world.write({ username: bills });
      await expectTaken('person-1');
      const { google = null } = (await world.directory.findAccount(ada))?.identities ?? {};
      await world.directory.bindIdentity(bills, 'google', google);
      await expectTaken('person-1', bills);
      await expectTaken('person-1');
      await expectRefused('person-2', bills, bills);
      await expect(world.directory.bindIdentity('nobody', 'google', null)).rejects.toThrow(/no account/);
    });

    it('taking it away ends a set-up that was begun', async () => {
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

describe('an identity that is taken away between its proof and its session', () => {
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
      const session = whileProofStands(aside, proven.user, 'google', () => Promise.resolve('a session'));
      await expect(session).rejects.toMatchObject({ status: 401, code: 'no_access' });
    } finally {
      await world.close();
      await aside.close();
    }
  });
});
