/** @jest-environment node */
import type { AccountInput } from '../../service';
import { bothDatabases } from './support/bothDatabases';
import { activate, exchange, refusedLink, reset } from './support/links';
import { account, signIn, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(120_000);

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

describe.each(bothDatabases)('an account that an administrator rewrites, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

  const rewrite = (changes: Partial<AccountInput>) => world.service.directory.upsertAccount(account(changes));
  const isRefreshed = async (refresh: string): Promise<boolean> =>
    (await world.post('/auth/v1/refresh', { refresh })).status === 200;

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
  });

  it.each([...otherwise, ...alike])('with %s has no open links left', async (_what, changes) => {
    const { directory } = world.service;
    const [link, magic] = [await directory.resetLink(ada), await directory.magicLink(ada, 'ledger')];
    await rewrite(changes);
    // The account as it was: whatever the links are refused for, it is not what the account looks like.
    await rewrite({});
    expect((await reset(world, link.id)).body).toEqual(refusedLink);
    expect((await exchange(world, magic.id)).body).toEqual(refusedLink);
    expect(await directory.isLinkUntouched(link.id)).toBe(false);
  });

  it('under another e-mail is no longer activated by the invitation to the former one', async () => {
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

  it.each(otherwise)('with %s refuses the set-up token of before', async (_what, changes) => {
    await rewrite({ mustSetUpMfa: true });
    const setup = await signIn(world);
    const own = `/user-management/v1/users/${text(setup, 'uid')}`;
    const isRead = async () => (await world.get(own, { bearer: text(setup, 'mfaJWT') })).status === 200;
    await rewrite({ mustSetUpMfa: true });
    expect(await isRead()).toBe(true);
    await rewrite({ mustSetUpMfa: true, ...changes });
    expect(await isRead()).toBe(false);
  });

  it('leaves the links and the sessions of everybody else', async () => {
    await rewrite({ username: 'bob@example.com' });
    const link = await world.service.directory.resetLink('bob@example.com');
    const refresh = text(await signIn(world, { username: 'bob@example.com' }), 'refresh');
    await rewrite({ password: 'Other-horse8', email: 'ada@elsewhere.example' });
    expect(await isRefreshed(refresh)).toBe(true);
    expect(await world.service.directory.isLinkUntouched(link.id)).toBe(true);
  });

  it('is not rewritten where it only has to be there: its links and its sessions stay', async () => {
    const link = await world.service.directory.resetLink(ada);
    const refresh = text(await signIn(world), 'refresh');
    await world.service.directory.ensureAccount(account({ password: 'Other-horse8', email: 'a@b.example' }));
    expect(await isRefreshed(refresh)).toBe(true);
    expect((await reset(world, link.id)).status).toBe(200);
    await world.outbox.nextMail();
  });
});
