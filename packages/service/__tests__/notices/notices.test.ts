import { testsAll } from '../support/bothDatabases.ts';
import { heldCall } from '../support/heldCall.ts';
import { newDatabase } from '../support/postgres.ts';
import { linkIn } from '../support/recordingOutbox.ts';
import { random, scriptedProvider } from '../support/scriptedProvider.ts';
import { app, sms } from '../support/secondStep.ts';
import {
  ada,
  at,
  describeService,
  startTestService,
  text,
  type TestService,
} from '../support/testService.ts';
import { newPassword, oldPassword } from '../support/userCalls.ts';

const daySeconds = 86_400;
/** The service looks for due messages at this interval. */
const pollMilliseconds = 5_000;

beforeAll(() => {
  // All but intervals, which the tests let pass.
  jest.useFakeTimers({
    doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'hrtime', 'Date', 'setTimeout'],
  });
});
afterAll(() => {
  jest.useRealTimers();
});

/** Polls until there is a mail. One poll is not enough: it is left out while the one before is under way. */
async function polledMail({ outbox }: TestService) {
  while (outbox.unreadMails().length === 0) {
    jest.advanceTimersByTime(pollMilliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return outbox.nextMail();
}

describeService(
  'notices',
  (service) => {
    const known = (bearer: string, deviceToken?: string) =>
      service.post('/auth/v1/devices/known', deviceToken === undefined ? {} : { deviceToken }, { bearer });
    const answer = (hash: string, mine: boolean) => service.post(`/auth/v1/notices/${hash}`, { mine });
    const read = (hash: string) => service.get(`/auth/v1/notices/${hash}`);
    /** Kinds of the mails that wait. */
    const waiting = async () => (await service.directory.messages.pending()).map(({ kind }) => kind);
    const knownCount = async () => (await service.directory.accounts.exportPerson(ada)).knownDevices.length;
    /** Signs in on a browser. @returns the session and the token that the browser has now. */
    const signInOn = async (deviceToken?: string) => {
      const bearer = text(await service.signIn(), 'token');
      return { bearer, deviceToken: text(await known(bearer, deviceToken), 'deviceToken') };
    };
    /** The mail about a sign-in on a new device, a minute later. */
    const nextNotice = () => {
      service.passSeconds(60);
      return polledMail(service);
    };
    /** Signs in on a new device. @returns the session, the mail about it, and the id of its link. */
    const noticeOfSignIn = async () => {
      const signedIn = await service.signedIn();
      const mail = await nextNotice();
      return { ...signedIn, mail, hash: linkIn(mail).id };
    };

    beforeEach(async () => {
      while (service.outbox.unreadMails().length > 0) await service.outbox.nextMail();
    });

    it('a sign-in on a new device is mailed after 60 s, with what the owner needs to recognise it', async () => {
      const { mail, hash } = await noticeOfSignIn();
      expect(mail).toMatchObject({ to: ada, subject: 'New sign-in to your account' });
      expect(mail.text).toContain('Someone signed in to your account ada@example.com');
      expect(mail.text).toContain(`http://login.payments.localhost/security-notice/${hash}`);
      expect((await read(hash)).body).toEqual({
        kind: 'new-device',
        at: new Date(service.now() - 60_000).toISOString(),
        browser: null,
        system: null,
        network: '127.0.0.0/24',
        state: 'open',
      });
    });

    it('thirty days on a known device are not mailed', async () => {
      await service.write();
      let { deviceToken } = await signInOn();
      expect(await waiting()).toEqual(['notice-new-device']);
      for (let day = 0; day < 30; day += 1) {
        service.passSeconds(daySeconds);
        const next = await signInOn(deviceToken);
        expect(next.deviceToken).toBe(deviceToken);
        ({ deviceToken } = next);
      }
      expect(await waiting()).toEqual(['notice-new-device']);
    });

    it('a device that another user knows is new to this one, and known to both afterwards', async () => {
      const grace = 'grace@example.com';
      await service.write();
      await service.write({ username: grace, email: grace });
      const first = await signInOn();
      const second = text(await service.signIn({ username: grace }), 'token');
      const shared = text(await known(second, first.deviceToken), 'deviceToken');
      // An attacker who planted the first token must not be known as the second user.
      expect(shared).not.toBe(first.deviceToken);
      expect(await waiting()).toEqual(['notice-new-device', 'notice-new-device']);
      const again = text(await service.signIn({ username: grace }), 'token');
      expect(text(await known(again, first.deviceToken), 'deviceToken')).not.toBe(first.deviceToken);
      expect((await signInOn(shared)).deviceToken).toBe(shared);
    });

    it('a device that was new at its sign-in does not withdraw the mail by the token that it got then', async () => {
      const { bearer } = await service.signedIn();
      const deviceToken = text(await known(bearer), 'deviceToken');
      expect((await known(bearer, deviceToken)).body).toEqual({ deviceToken });
      expect(await waiting()).toEqual(['notice-new-device']);
      const { id } = linkIn(await nextNotice());
      await known(bearer, deviceToken);
      expect((await read(id)).body).toMatchObject({ state: 'open' });
    });

    it('a call that was held back until its session had ended makes no device known', async () => {
      const { bearer } = await service.signedIn();
      const send = await heldCall(service, '/auth/v1/devices/known', bearer, {});
      await service.directory.accounts.endSessions(ada);
      expect(await send()).toBe(401);
      expect(await knownCount()).toBe(0);
    });

    it('a user has twenty known devices, and the one that was used longest ago is forgotten first', async () => {
      await service.write();
      const first = await signInOn();
      for (let device = 0; device < 20; device += 1) {
        service.passSeconds(1);
        await known(first.bearer);
        if (device === 18) await signInOn(first.deviceToken);
      }
      expect(await knownCount()).toBe(20);
      expect((await signInOn(first.deviceToken)).deviceToken).toBe(first.deviceToken);
    });

    it('a password reset by link forgets known devices, and a change of the password does not', async () => {
      await service.write();
      const { bearer, deviceToken } = await signInOn();
      await service.post(
        '/password-reset/v1/password-reset-manual',
        { newPassword, confirmPassword: newPassword, oldPassword, username: ada },
        { bearer },
      );
      const changed = text(await service.signIn({ password: newPassword }), 'token');
      expect(text(await known(changed, deviceToken), 'deviceToken')).toBe(deviceToken);
      await service.reset((await service.directory.links.reset(ada)).id);
      const reset = text(await service.signIn({ password: newPassword }), 'token');
      expect(text(await known(reset, deviceToken), 'deviceToken')).not.toBe(deviceToken);
    });

    it.each([null, false])(
      'the mailbox that an account had before no longer answers (its answer: %s)',
      async (before) => {
        const { hash } = await noticeOfSignIn();
        if (before !== null) await answer(hash, before);
        await service.directory.accounts.change(ada, { email: 'ada@new.example.com' });
        expect((await read(hash)).status).toBe(404);
        expect((await answer(hash, false)).status).toBe(404);
      },
    );

    it('yes: nothing changes, and the notice is closed', async () => {
      const { hash, bearer, uid } = await noticeOfSignIn();
      for (const _ of [1, 2]) expect((await answer(hash, true)).body).toEqual({});
      expect((await service.readUser(uid, bearer)).status).toBe(200);
      expect((await read(hash)).body).toMatchObject({ state: 'confirmed' });
      expect((await answer(hash, false)).status).toBe(404);
    });

    it('no: all access ends, the password is refused, and the link leads to a new one', async () => {
      const { hash, bearer, uid } = await noticeOfSignIn();
      const deviceToken = text(await known(bearer), 'deviceToken');
      const resetHash = text(await answer(hash, false), 'resetHash');
      expect((await service.readUser(uid, bearer)).status).toBe(401);
      expect(await knownCount()).toBe(0);
      expect(await service.directory.accounts.find(ada)).toMatchObject({ mustChangePassword: true });
      // Its response may have been lost.
      const again = text(await answer(hash, false), 'resetHash');
      expect((await service.reset(resetHash)).status).toBe(401);
      expect((await service.reset(again)).status).toBe(200);
      expect((await answer(hash, false)).body).toEqual({});
      const later = text(await service.signIn({ password: 'New-secret8' }), 'token');
      // A sign-in with the token of the device then causes a mail.
      expect(text(await known(later, deviceToken), 'deviceToken')).not.toBe(deviceToken);
    });

    it('an account without a password gets no reset link', async () => {
      await service.write({ password: null, methods: [{ method: 'google' }] });
      await service.directory.accounts.lock(ada);
      const { id } = linkIn(await service.outbox.nextMail());
      expect((await answer(id, false)).body).toEqual({});
    });

    it('a notice expires after fourteen days, and an unknown one does not exist', async () => {
      const { hash } = await noticeOfSignIn();
      service.passSeconds(14 * daySeconds);
      expect((await read(hash)).body).toMatchObject({ state: 'expired' });
      expect((await answer(hash, false)).status).toBe(404);
      expect((await read('unknown')).status).toBe(404);
      expect((await answer('unknown', true)).status).toBe(404);
    });

    it('a changed password is mailed once, and other changes too', async () => {
      await service.write();
      await service.reset((await service.directory.links.reset(ada)).id);
      expect((await service.outbox.nextMail()).subject).toBe('Your password was changed');
      await service.directory.accounts.lock(ada);
      await service.directory.accounts.lock(ada);
      expect((await service.outbox.nextMail()).subject).toBe('Your account was locked');
      await service.directory.accounts.resetSecondFactor(ada);
      expect((await service.outbox.nextMail()).subject).toBe('Two-step verification was changed');
      expect(service.outbox.unreadMails()).toEqual([]);
    });

    it('too many wrong passwords are mailed to the owner, and to nobody for a username without an account', async () => {
      await service.write();
      for (const username of ['nobody@example.com', ada])
        for (let attempt = 0; attempt < 5; attempt += 1)
          await service.signIn({ username, password: 'wrong' });
      expect(await service.outbox.nextMail()).toMatchObject({ to: ada, subject: 'Your account was locked' });
      expect(service.outbox.unreadMails()).toEqual([]);
    });

    it('no more than twenty mails a day are sent to a person', async () => {
      await service.write();
      for (let count = 0; count < 25; count += 1) await service.signIn();
      expect(await waiting()).toHaveLength(20);
    });
  },
  { notices: true },
);

/** The life of a challenge, and how long after it a sign-in shows that it was the owner's, s. */
const [challengeSeconds, graceSeconds] = [600, 600];

/** Lets time pass until the mails about ended challenges are written. @returns the networks of the notices, oldest first. */
async function missedAfter(service: TestService, seconds: number): Promise<readonly string[]> {
  service.passSeconds(seconds);
  // A request that is being handled is due again after its lease.
  const isWaiting = async () =>
    (await service.directory.messages.pending()).some(
      ({ channel, dueAt, attempts }) =>
        channel === 'second-step' && (attempts > 1 || Number(dueAt) <= service.now()),
    );
  while (await isWaiting()) jest.advanceTimersByTime(pollMilliseconds);
  const { notices } = await service.directory.accounts.exportPerson(ada);
  return notices
    .filter(({ kind }) => kind === 'second-step-missed')
    .sort((one, other) => Number(one.createdAt) - Number(other.createdAt))
    .map(({ network }) => String(network));
}

describeService(
  'a right password whose second step is not passed',
  (service) => {
    const [home, sameNetwork, elsewhere] = ['203.0.113.7', '203.0.113.99', '198.51.100.7'];
    const homeNetwork = '203.0.113.0/24';
    const begin = (address = home) => at(service, address).challenge();
    const signInWithCode = async (address: string) => {
      const client = at(service, address);
      const answer = await client.enterCode(await client.challenge(), await service.codeOfApp());
      expect(answer.status).toBe(200);
    };
    const missedMail = async () => {
      for (;;) {
        const mail = await service.outbox.nextMail();
        if (mail.subject === 'A sign-in stopped at the second step') return mail;
      }
    };

    beforeEach(async () => {
      while (service.outbox.unreadMails().length > 0) await service.outbox.nextMail();
      await service.write({ mfa: app });
    });

    it('is mailed ten minutes after the challenge is over, with the time and the place of the password', async () => {
      const begun = service.now();
      await begin();
      expect(await missedAfter(service, challengeSeconds + graceSeconds - 1)).toEqual([]);
      expect(await missedAfter(service, 1)).toEqual([homeNetwork]);
      const mail = await missedMail();
      expect(mail.to).toBe(ada);
      expect(mail.text).toContain(
        'Someone passed the first step, but not the second, of a sign-in to your account ada@example.com',
      );
      const { id } = linkIn(mail);
      expect((await service.get(`/auth/v1/notices/${id}`)).body).toEqual({
        ...{ kind: 'second-step-missed', at: new Date(begun).toISOString(), state: 'open' },
        ...{ browser: null, system: null, network: homeNetwork },
      });
      const denied = await service.post(`/auth/v1/notices/${id}`, { mine: false });
      expect((await service.reset(text(denied, 'resetHash'))).status).toBe(200);
    });

    it('is not mailed when it was passed by a code or a recovery code, even from another network', async () => {
      const first = await at(service, elsewhere).enterCode(await begin(), await service.codeOfApp());
      const bearer = text(first, 'token');
      const made = await service.post(
        '/auth/v1/recovery-codes',
        { authVerificationToken: await service.verified(bearer) },
        { bearer },
      );
      const [code = ''] = made.body['codes'] as readonly string[];
      const used = await at(service, elsewhere).post('/auth/v1/recovery-codes/use', {
        ...{ username: ada, method: 'basic', authVerificationToken: await begin(), code },
      });
      expect(used.status).toBe(200);
      expect(await missedAfter(service, 2 * (challengeSeconds + graceSeconds))).toEqual([]);
    });

    it.each([
      [30, home],
      [challengeSeconds + graceSeconds, sameNetwork],
    ])(
      'is not mailed when the owner begins again after %s s, and signs in from %s',
      async (seconds, address) => {
        await begin();
        service.passSeconds(seconds);
        await signInWithCode(address);
        expect(await missedAfter(service, 2 * (challengeSeconds + graceSeconds))).toEqual([]);
      },
    );

    it.each<[string, number, string]>([
      ['another network', 30, elsewhere],
      ['the network of the password, a second too late', 1201, sameNetwork],
    ])('is mailed when the owner signs in from %s', async (_what, seconds, address) => {
      await begin();
      service.passSeconds(seconds);
      await signInWithCode(address);
      expect(await missedAfter(service, challengeSeconds + graceSeconds)).toEqual([homeNetwork]);
    });

    it('is mailed when the owner has signed in from the network before, but not since', async () => {
      await signInWithCode(home);
      service.passSeconds(60);
      await begin();
      expect(await missedAfter(service, challengeSeconds + graceSeconds)).toEqual([homeNetwork]);
    });

    it('is mailed later if a new code has extended the challenge', async () => {
      await service.write({ mfa: sms });
      const authVerificationToken = await begin();
      service.passSeconds(500);
      await service.post('/auth/v1/token', { username: ada, method: 'basic', authVerificationToken });
      expect(await missedAfter(service, challengeSeconds + graceSeconds - 1)).toEqual([]);
      expect(await missedAfter(service, 1)).toHaveLength(1);
    });

    it('is mailed after so many wrong codes that the network was locked', async () => {
      const wrong = await begin();
      for (let time = 0; time < 5; time += 1) await at(service, home).enterCode(wrong, '000000');
      expect(await missedAfter(service, challengeSeconds + graceSeconds)).toEqual([homeNetwork]);
    });

    it('is not mailed for a trusted device, nor in setup mode', async () => {
      const answer = await service.enterCode(await service.challenge(), await service.codeOfApp(), {
        trust: true,
      });
      expect((await service.signIn({ trustedJWT: text(answer, 'trustedToken') })).body).toHaveProperty(
        'token',
      );
      await service.write({ mustSetUpMfa: true });
      expect((await service.signIn()).body).toHaveProperty('mfaJWT');
      expect(await missedAfter(service, 2 * (challengeSeconds + graceSeconds))).toEqual([]);
    });

    it('is mailed once in 24 hours, from however many networks', async () => {
      for (const address of [home, elsewhere]) await begin(address);
      expect(await missedAfter(service, 3600)).toHaveLength(1);
      service.passSeconds(daySeconds - 3601);
      await begin(elsewhere);
      expect(await missedAfter(service, 3600)).toHaveLength(1);
      await begin(elsewhere);
      expect(await missedAfter(service, 3600)).toHaveLength(2);
    });

    const floods = testsAll ? 1000 : 40;
    it(`${floods} of them cause one mail, and leave the others about the account as they are`, async () => {
      for (let count = 0; count < floods; count += 1) {
        const attacker = at(service, `198.51.${count >> 8}.${count & 255}`);
        const answer = await attacker.signIn();
        if (answer.status === 200) await attacker.enterCode(text(answer, 'authVerificationToken'), '000000');
        service.passSeconds(20);
      }
      expect(await missedAfter(service, challengeSeconds + graceSeconds)).toHaveLength(1);
      await service.directory.accounts.resetSecondFactor(ada);
      const kinds = (await service.directory.accounts.exportPerson(ada)).notices.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'mfa-changed')).toHaveLength(1);
      expect(kinds.length).toBeLessThanOrEqual(3);
    });
  },
  { notices: true, trustedProxies: ['127.0.0.1'] },
);

it('a sign-in with a provider whose second step is not passed is mailed, by another process if its own ended', async () => {
  const database = { url: await newDatabase() };
  const provider = await scriptedProvider();
  const options = { database, notices: true, providers: provider.options };
  const first = await startTestService({ ...options, now: Date.now });
  await first.write({ methods: [{ method: 'google' }], mfa: app });
  const answer = await first.post('/auth/v1/token', {
    ...{ username: ada, method: 'google', code: random(), codeVerifier: random() },
  });
  expect(answer.body).toMatchObject({ mfaRequired: true });
  await first.close();
  const later = Date.now() + 1000 * (challengeSeconds + graceSeconds);
  await using second = await startTestService({ ...options, now: () => later });
  expect((await polledMail(second)).subject).toBe('A sign-in stopped at the second step');
});

describeService('without notices', (service) => {
  it('a sign-in is not mailed', async () => {
    await service.write();
    await service.signIn();
    expect(await service.directory.messages.pending()).toEqual([]);
    await service.reset((await service.directory.links.reset(ada)).id);
    expect((await service.outbox.nextMail()).text).not.toContain('/security-notice/');
    await service.write({ mfa: app });
    await service.challenge();
    expect(await service.directory.messages.pending()).toEqual([]);
  });
});
