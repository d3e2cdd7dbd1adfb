/** @jest-environment node */
import { newPassword, reset } from './support/links';
import { linkIn } from './support/recordingOutbox';
import { account, signIn, startTestService, type Answer, type TestService } from './support/testService';

jest.setTimeout(120_000);

const ada = 'ada@example.com';

describe('forgot password', () => {
  let world: TestService;

  const forgot = (email: string): Promise<Answer> =>
    world.post('/password-reset/v1/forgot-password', { email });
  /** Mails are sent in order: once this one has come, none is on its way. */
  const nothingMore = async (): Promise<void> => {
    await world.service.directory.upsertAccount(
      account({ username: 'last@example.com', email: 'last@example.com' }),
    );
    await forgot('last@example.com');
    expect(await world.outbox.nextMail()).toMatchObject({ to: 'last@example.com' });
    expect(world.outbox.unreadMails()).toEqual([]);
  };

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    world.outbox.treat(() => Promise.resolve());
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(account());
  });

  it('mails a link with which a new password can be chosen', async () => {
    expect((await forgot(ada)).status).toBe(200);
    const mail = await world.outbox.nextMail();
    expect(mail).toMatchObject({ to: ada, subject: 'Reset your password' });
    expect(mail.text).toContain('The link works once, for 1 hour.');
    const { url, id } = linkIn(mail);
    expect(url).toBe(`http://login.payments.localhost/reset-password/${id}`);
    expect(mail.html).toContain(`<a href="${url}">Choose a new password</a>`);
    expect((await reset(world, id)).status).toBe(200);
    expect((await signIn(world, { password: newPassword })).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('answers the same for an address without an account, and mails nothing', async () => {
    const [known, unknown] = [await forgot(ada), await forgot('nobody@example.com')];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    const headersOf = ({ headers }: Answer) => [...headers].filter(([name]) => name !== 'date');
    expect(headersOf(unknown)).toEqual(headersOf(known));
    expect(await world.outbox.nextMail()).toMatchObject({ to: ada });
    await nothingMore();
  });

  it('answers before the mail is on its way, so that its time tells nothing', async () => {
    let release: () => void = () => undefined;
    const hold = new Promise<void>((open) => (release = open));
    const looked = new Promise<void>((resolve) => {
      world.outbox.treat(() => {
        resolve();
        return hold;
      });
    });
    expect((await forgot(ada)).status).toBe(200);
    await looked;
    release();
    await world.outbox.nextMail();
  });

  it('answers the same while the mail server refuses, and logs neither address nor link', async () => {
    const failure = Object.assign(new Error(`550 <${ada}> unknown`), { code: 'EENVELOPE' });
    const refused = new Promise<void>((resolve) => {
      world.outbox.treat(() => {
        resolve();
        return Promise.reject(failure);
      });
    });
    expect((await forgot(ada)).status).toBe(200);
    await refused;
    // The log is written in the turns after the refusal; another call takes longer than those.
    await world.get('/health');
    expect(world.log.entries()).toContainEqual({
      level: 'error',
      event: 'background work failed',
      fields: { work: 'reset mail', error: 'Error', errorCode: 'EENVELOPE' },
    });
    expect(world.log.text()).not.toContain(ada);
  });

  it('finds the address in any case, and mails to the one that the account has', async () => {
    await forgot('ADA@Example.COM');
    expect(await world.outbox.nextMail()).toMatchObject({ to: ada });
  });

  it('mails each account of a shared mailbox its own link', async () => {
    await world.service.directory.upsertAccount(account({ username: 'ada-admin' }));
    await forgot(ada);
    const mails = [await world.outbox.nextMail(), await world.outbox.nextMail()];
    expect(mails.map(({ to }) => to)).toEqual([ada, ada]);
    expect(mails.filter(({ text }) => text.includes('account ada-admin at'))).toHaveLength(1);
    expect(new Set(mails.map((mail) => linkIn(mail).id)).size).toBe(2);
  });

  it('tells who signs in with a provider that there is no password, without a link to set one', async () => {
    const google = account({ password: null, methods: [{ method: 'google' }] });
    await world.service.directory.upsertAccount(google);
    await forgot(ada);
    const mail = await world.outbox.nextMail();
    expect(mail.subject).toBe('Your account has no password');
    expect(linkIn(mail).url).toBe('http://login.payments.localhost/login');
  });

  it('sends an invited user nothing: the invitation is what activates the account', async () => {
    await world.service.directory.upsertAccount(account({ password: null }));
    expect((await forgot(ada)).status).toBe(200);
    await nothingMore();
  });

  it('makes the link of the mail before dead', async () => {
    await forgot(ada);
    const older = linkIn(await world.outbox.nextMail()).id;
    await forgot(ada);
    const newer = linkIn(await world.outbox.nextMail()).id;
    expect((await reset(world, older)).status).toBe(401);
    expect((await reset(world, newer)).status).toBe(200);
    await world.outbox.nextMail();
  });

  it.each([
    ['known', ada],
    ['unknown', 'nobody@example.com'],
  ])(
    'takes five requests an hour for one %s address, in whatever case, then says when to come back',
    async (_w, email) => {
      const answers = [];
      for (const entered of [email, email.toUpperCase(), email, email, email, email]) {
        answers.push(await forgot(entered));
      }
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      const refused = answers[5];
      expect(refused?.body).toEqual({
        error: { message: 'Too many requests. Please try again later.', code: 'rate_limited' },
      });
      expect(refused?.headers.get('retry-after')).toBe('3600');
      world.passSeconds(3601);
      expect((await forgot(email)).status).toBe(200);
      if (email !== ada) return;
      for (let mail = 0; mail < 6; mail += 1) await world.outbox.nextMail();
    },
  );

  it('takes them again an hour after the first, however often a stranger asked in between', async () => {
    const stranger = 'nobody@example.com';
    await forgot(stranger);
    world.passSeconds(3000);
    for (let times = 0; times < 4; times += 1) expect((await forgot(stranger)).status).toBe(200);
    for (let times = 0; times < 3; times += 1) {
      const refused = await forgot(stranger);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
    }
    world.passSeconds(599);
    expect((await forgot(stranger)).headers.get('retry-after')).toBe('1');
    world.passSeconds(1);
    expect((await forgot(stranger)).status).toBe(200);
  });

  it('never refuses who asks every fifty minutes', async () => {
    for (let times = 0; times < 12; times += 1) {
      expect((await forgot('nobody@example.com')).status).toBe(200);
      world.passSeconds(3000);
    }
  });

  it('finishes a mail that is under way before the service ends', async () => {
    const other = await startTestService({ database: { folder: null } });
    await other.service.directory.upsertAccount(account());
    await other.post('/password-reset/v1/forgot-password', { email: ada });
    await other.close();
    expect(other.outbox.unreadMails()).toMatchObject([{ to: ada }]);
  });
});

it('limits how often one client may ask, whomever for', async () => {
  const limits = { requestsPerMinute: 100, secretChecksPerMinute: 2 };
  const world = await startTestService({ database: { folder: null }, rateLimit: limits });
  const ask = (email: string) => world.post('/password-reset/v1/forgot-password', { email });
  const answers = [await ask('a@example.com'), await ask('b@example.com'), await ask('c@example.com')];
  await world.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
});
