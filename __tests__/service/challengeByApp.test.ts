/** @jest-environment node */
import { wrongAppCode } from './support/authenticator';
import { bothDatabases } from './support/bothDatabases';
import {
  app,
  appSecret,
  challengeOf,
  challengeOver,
  codeOfApp,
  enterCode,
  lockedFor15Minutes,
  outcome,
  wrongCode,
} from './support/secondStep';
import { account, signIn, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(180_000);

describe.each(bothDatabases)('a code of an authenticator app, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

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
    await world.service.directory.upsertAccount(account({ mfa: app }));
  });

  it('opens the session; no message is sent', async () => {
    const answer = await enterCode(world, await challengeOf(world), await codeOfApp(world));
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['refresh', 'token']]);
    expect(world.outbox.texts()).toEqual([]);
  });

  it.each([
    ['just gone', -30, 200],
    ['the next', 30, 200],
    ['two ago', -60, 401],
    ['the next but one', 60, 401],
  ])('that is %s is answered as it should be', async (_which, secondsLater, status) => {
    const code = await codeOfApp(world, secondsLater);
    expect((await enterCode(world, await challengeOf(world), code)).status).toBe(status);
  });

  it('is refused when it is wrong, and locks the second step after five', async () => {
    const challenge = await challengeOf(world);
    const wrong = await wrongAppCode(appSecret, world.now());
    for (let tries = 0; tries < 4; tries += 1) {
      expect(outcome(await enterCode(world, challenge, wrong))).toEqual([401, wrongCode]);
    }
    expect(outcome(await enterCode(world, challenge, wrong))).toEqual([429, lockedFor15Minutes]);
    expect((await enterCode(world, challenge, await codeOfApp(world))).status).toBe(429);
    expect(outcome(await signIn(world))).toEqual([429, lockedFor15Minutes]);
  });

  it('that was seen over a shoulder does not count in another sign-in, nor does an older one', async () => {
    const [present, former] = [await codeOfApp(world), await codeOfApp(world, -30)];
    expect((await enterCode(world, await challengeOf(world), present)).status).toBe(200);
    const challenge = await challengeOf(world);
    expect(outcome(await enterCode(world, challenge, present))).toEqual([401, wrongCode]);
    expect(outcome(await enterCode(world, challenge, former))).toEqual([401, wrongCode]);
    world.passSeconds(30);
    expect((await enterCode(world, challenge, await codeOfApp(world))).status).toBe(200);
  });

  it('counts in one of two sign-ins at the same moment', async () => {
    const challenges = [await challengeOf(world), await challengeOf(world)];
    const code = await codeOfApp(world);
    const answers = await Promise.all(challenges.map((challenge) => enterCode(world, challenge, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('opens one session of a challenge, also with two codes at the same moment', async () => {
    const challenge = await challengeOf(world);
    const codes = [await codeOfApp(world), await codeOfApp(world, 30)];
    const answers = await Promise.all(codes.map((code) => enterCode(world, challenge, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await enterCode(world, challenge, await codeOfApp(world)))).toEqual([401, challengeOver]);
  });

  it('needs no resend: asking for one answers the challenge again and sends nothing', async () => {
    const first = await signIn(world);
    const body = {
      username: 'ada@example.com',
      method: 'basic',
      authVerificationToken: text(first, 'authVerificationToken'),
    };
    expect(outcome(await world.post('/auth/v1/token', body))).toEqual([200, first.body]);
    expect(world.outbox.texts()).toEqual([]);
  });

  it('leads nowhere once the user has another factor, or none', async () => {
    for (const mfa of [{ ...app, secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' }, null]) {
      await world.service.directory.upsertAccount(account({ mfa: app }));
      const challenge = await challengeOf(world);
      await world.service.directory.upsertAccount(account({ mfa }));
      const answer = await enterCode(world, challenge, await codeOfApp(world));
      expect(outcome(answer)).toEqual([401, challengeOver]);
    }
  });
});
