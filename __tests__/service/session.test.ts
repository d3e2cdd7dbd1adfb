/** @jest-environment node */
import { decodeJwt } from 'jose';
import { bothDatabases } from './support/bothDatabases';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';
import { aString } from './support/matchers';

jest.setTimeout(120_000);

const ended = {
  error: { message: 'Your session has ended. Please sign in again.', code: 'invalid_refresh' },
};

describe.each(bothDatabases)('a session, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;
  let uid: string;

  const refresh = (token: string): Promise<Answer> => world.post('/auth/v1/refresh', { refresh: token });
  const rotate = async (token: string): Promise<string> => text(await refresh(token), 'refresh');
  const open_ = async (): Promise<string> => text(await signIn(world), 'refresh');
  const readUser = (bearer: string): Promise<Answer> =>
    world.get(`/user-management/v1/users/${uid}`, { bearer });

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
    ({ uid } = await world.service.directory.upsertAccount(account()));
  });

  it('goes on with a new pair of tokens at each refresh', async () => {
    const first = await open_();
    world.passSeconds(450);
    const answer = await refresh(first);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['refresh', 'token']);
    expect(text(answer, 'refresh')).not.toBe(first);
    expect(decodeJwt(text(answer, 'token'))).toMatchObject({ uid, iat: Math.floor(world.now() / 1000) });
    expect((await readUser(text(answer, 'token'))).status).toBe(200);
  });

  it('answers a refresh token again for 10 seconds, with the same successor: a lost answer signs nobody out', async () => {
    const first = await open_();
    const second = await rotate(first);
    world.passSeconds(10);
    expect(await rotate(first)).toBe(second);
    expect((await refresh(second)).status).toBe(200);
  });

  it('answers with the newest token when others have refreshed further within the 10 seconds', async () => {
    const first = await open_();
    const third = await rotate(await rotate(first));
    expect(await rotate(first)).toBe(third);
    expect((await refresh(third)).status).toBe(200);
  });

  it('ends for thief and owner alike when a dead refresh token comes back', async () => {
    const first = await open_();
    const answer = await refresh(first);
    world.passSeconds(11);

    const replay = await refresh(first);
    expect([replay.status, replay.body]).toEqual([401, ended]);
    expect((await refresh(text(answer, 'refresh'))).body).toEqual(ended);
    expect((await readUser(text(answer, 'token'))).status).toBe(401);
    expect(world.log.entries()).toContainEqual({
      level: 'warn',
      event: 'refresh token reused, session ended',
      fields: { session: aString, uid },
    });
  });

  it('leaves the other sessions of the user alone when one ends by reuse', async () => {
    const stolen = await open_();
    const other = await open_();
    await rotate(stolen);
    world.passSeconds(11);
    await refresh(stolen);
    expect((await refresh(other)).status).toBe(200);
  });

  it('ends when it was not refreshed for 8 hours', async () => {
    const first = await open_();
    world.passSeconds(28_800);
    expect((await refresh(first)).body).toEqual(ended);
  });

  it('ends after 24 hours however often it was refreshed', async () => {
    let token = await open_();
    for (let hour = 1; hour < 24; hour += 1) {
      world.passSeconds(3_600);
      token = await rotate(token);
    }
    world.passSeconds(3_600);
    expect((await refresh(token)).body).toEqual(ended);
  });

  it('carries a changed persona from the next refresh on', async () => {
    const first = await open_();
    const personas = { hub: [{ applicationUrl: 'http://hub.payments.localhost/' }] };
    await world.service.directory.upsertAccount(account({ personas }));
    expect(decodeJwt(text(await refresh(first), 'token'))['personas']).toEqual(personas);
  });

  it('ends when the account is removed or an administrator ends it', async () => {
    const removed = await signIn(world);
    await world.service.directory.removeAccount('ada@example.com');
    expect((await refresh(text(removed, 'refresh'))).body).toEqual(ended);
    expect((await readUser(text(removed, 'token'))).status).toBe(401);

    ({ uid } = await world.service.directory.upsertAccount(account()));
    const closed = await signIn(world);
    await world.service.directory.endSessions('ada@example.com');
    expect((await refresh(text(closed, 'refresh'))).body).toEqual(ended);
    expect((await readUser(text(closed, 'token'))).status).toBe(401);
  });

  it.each([
    ['one that was never issued', () => Promise.resolve('never-issued')],
    ['a session token', async () => text(await signIn(world), 'token')],
  ])('does not go on with %s', async (_what, token) => {
    const answer = await refresh(await token());
    expect([answer.status, answer.body]).toEqual([401, ended]);
  });
});
